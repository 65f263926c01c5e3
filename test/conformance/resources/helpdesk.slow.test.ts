import { HELPDESK_MUTANTS, HELPDESK_VARIANTS } from './support/service-changes.js';
import { helpdesk } from './support/services.js';
import { testService } from './support/test-service.js';

testService(helpdesk, HELPDESK_MUTANTS, HELPDESK_VARIANTS);
