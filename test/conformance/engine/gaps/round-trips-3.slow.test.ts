import { testRoundTrips } from '../../support/round-trip.js';

// A third of the gaps, so that the tests run side by side.
testRoundTrips((_, index) => index % 3 === 2);
