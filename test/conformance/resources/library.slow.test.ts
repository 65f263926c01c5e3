import { LIBRARY_MUTANTS, LIBRARY_VARIANTS } from './support/service-changes.js';
import { library } from './support/services.js';
import { testPlan } from './support/test-service.js';

testPlan(library, LIBRARY_MUTANTS, LIBRARY_VARIANTS);
