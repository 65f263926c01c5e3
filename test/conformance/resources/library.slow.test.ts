import { LIBRARY_MUTANTS, LIBRARY_VARIANTS } from './support/service-changes.js';
import { library } from './support/services.js';
import { testService } from './support/test-service.js';

testService(library, LIBRARY_MUTANTS, LIBRARY_VARIANTS);
