import { HELPDESK_MUTANTS, HELPDESK_VARIANTS } from './support/service-changes.js';
import { helpdesk } from './support/services.js';
import { testPlan } from './support/test-service.js';

testPlan(helpdesk, HELPDESK_MUTANTS, HELPDESK_VARIANTS);
