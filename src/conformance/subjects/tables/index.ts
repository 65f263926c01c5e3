// The tables of scenarios that the contract fills: a row for each limit, filter, field, credentials.
import type { Row } from '../../model/raw-scenario.js';
import { listFiltersBeside, listSeveralValues } from './lists/filters-of-two.js';
import { GAP_TABLES } from './gap-tables.js';
import { listInvalid, MOST_INVALID, spend } from '../records/invalid-records.js';
import {
  boundLimits,
  listBadLimits,
  listBadParameters,
  listDefaultLimits,
  listEscapedLimits,
  listFurtherLimits,
  listLongPages,
  listNamedValues,
  listOutermostLimits,
  listPagedRankings,
  listPageSizes,
  listLengthsThatTell,
  listOpenTexts,
  listTotalPages,
} from './lists/bounds.js';
import {
  listChanges,
  listChangesOfBodies,
  listInvalidChanges,
  listPartlyInvalidChanges,
  listReadOnlyChanges,
  listReadOnlyReplacements,
  listTakenTexts,
  listUniqueTexts,
  mergeChanges,
} from './changes.js';
import {
  listAlternatives,
  listCredentialForms,
  listCredentials,
  listCredentialsOfChanges,
  listDrafts,
  listSecuredCreates,
  listSecuredFilters,
  listSecuredLengths,
  listSecuredPages,
} from './credentials.js';
import { readCases } from './data.js';
import { listJsonForms } from './json-forms.js';
import {
  listChangedFilters,
  listChoices,
  listChoicesOfSeveral,
  listEscapedFilters,
  listFilteredLimits,
  listFilters,
  listFilterValues,
  listFittingFilters,
  listTotalFilters,
  listPagedFilters,
} from './lists/filters.js';
import { listNestedMerges } from './nested.js';
import { listRemovals } from './nulls.js';
import { listCostlyNumbers, listOddBodies, listOddlyInvalid, listTidied, listWideNumbers, listWords } from './odd.js';
import { listOddKeys } from './odd-keys.js';
import { listParameterRules } from './parameter-rules.js';
import {
  listBrokenParameters,
  listNamedParameters,
  listWrongParameters,
  listWrongParametersOfChanges,
} from './parameters.js';
import {
  listClientErrors,
  listClients,
  listClientsWithoutKey,
  listMediaTypeForms,
  listMediaTypes,
  listRepeatKeys,
} from './requests.js';
import { listLackedScopes, listLackedScopesOfChanges } from './scopes.js';
import { listOtherReads, listOtherSecured } from './others.js';
import {
  listOtherKeys,
  listReadOnlyChoices,
  listReadOnlyChoicesOfChanges,
  listServiceFilters,
} from './service-fields.js';
import { listRankings, listSorts, listTurnedRankings } from './lists/sorts.js';
import type { TableSource } from './table-source.js';
import { listEqualTexts, listRareTexts, listTexts } from './texts.js';
import { listChangesToNothing, listOffDefaults } from './to-nothing.js';
import { listEquals, listReadOnly, listValues } from './values.js';

export const TABLES: Readonly<Record<string, (source: TableSource) => Row[]>> = {
  ...GAP_TABLES,
  $changes: listChanges,
  $allChanges: mergeChanges,
  $takenTexts: listTakenTexts,
  $uniqueTexts: listUniqueTexts,
  $toNothing: listChangesToNothing,
  $offDefaults: listOffDefaults,
  $changesOfBodies: listChangesOfBodies,
  $nulls: listRemovals,
  $nestedMerges: listNestedMerges,
  $limits: (source) => boundLimits(source, [1, 2]).map((limit) => ({ id: String(limit), limit })),
  $outermostLimits: listOutermostLimits,
  $defaultLimits: listDefaultLimits,
  $furtherLimits: listFurtherLimits,
  $filteredLimits: listFilteredLimits,
  $escapedFilters: listEscapedFilters,
  $choices: listChoices,
  $choicesOfSeveral: listChoicesOfSeveral,
  $badLimits: listBadLimits,
  $namedValues: listNamedValues,
  $openTexts: listOpenTexts,
  $badParameters: listBadParameters,
  $parameterRules: listParameterRules,
  $sorts: listSorts,
  $rankings: listRankings,
  $pagedRankings: listPagedRankings,
  $turnedRankings: listTurnedRankings,
  $pageSizes: listPageSizes,
  $lengthsThatTell: listLengthsThatTell,
  $totalPages: listTotalPages,
  $filters: listFilters,
  $severalValues: listSeveralValues,
  $filtersBeside: listFiltersBeside,
  $firstFilter: (source) => listFilters(source).slice(0, 1),
  $fittingFilters: listFittingFilters,
  $changedFilters: (source) => listChangedFilters('update', source),
  $replacedFilters: (source) => listChangedFilters('replace', source),
  $filterValues: listFilterValues,
  $pagedFilters: listPagedFilters,
  $values: listValues,
  $texts: listTexts,
  $rareTexts: listRareTexts,
  $equals: listEquals,
  $equalPair: (source) => listEquals(source).slice(0, 1),
  $readOnly: listReadOnly,
  $readOnlyChanges: listReadOnlyChanges,
  $readOnlyReplacements: listReadOnlyReplacements,
  $readOnlyChoices: listReadOnlyChoices,
  $readOnlyChoicesOfChanges: listReadOnlyChoicesOfChanges,
  $serviceFilters: listServiceFilters,
  $otherKeys: listOtherKeys,
  $otherReads: listOtherReads,
  $jsonForms: listJsonForms,
  $equalTexts: listEqualTexts,
  $escapedLimits: listEscapedLimits,
  $otherSecured: listOtherSecured,
  $longPages: listLongPages,
  $totalFilters: listTotalFilters,
  $invalid: (source) =>
    spend(listInvalid(source), MOST_INVALID).map(({ id, words, record }) => ({ id, words, record })),
  $partlyInvalidChanges: listPartlyInvalidChanges,
  $invalidChanges: (source) => listInvalidChanges('update', source),
  $invalidReplacements: (source) => listInvalidChanges('replace', source),
  $oddlyInvalid: listOddlyInvalid,
  $oddBodies: listOddBodies,
  $words: listWords,
  $wideNumbers: listWideNumbers,
  $costlyNumbers: listCostlyNumbers,
  $oddKeys: listOddKeys,
  $tidied: listTidied,
  $lettersOfScripts: (source) => listTexts(source).slice(0, 1),
  $wrongParameters: listWrongParameters,
  $brokenParameters: listBrokenParameters,
  $wrongParametersOfChanges: listWrongParametersOfChanges,
  $namedParameters: listNamedParameters,
  $mediaTypes: listMediaTypes,
  $mediaTypeForms: listMediaTypeForms,
  $clientFields: (source) => listClients('list', source),
  $clientFieldsOfOne: (source) => listClients('get', source),
  $clientsWithoutKey: listClientsWithoutKey,
  $clientsOfUnknown: (source) => listClientErrors('get', source),
  $clientsOfInvalid: (source) => listClientErrors('create', source),
  $readingMessages: () => readCases('messages').filter(({ of }) => of === 'reading'),
  $creatingMessages: () => readCases('messages').filter(({ of }) => of === 'creating'),
  $repeatKeys: listRepeatKeys,
  $credentials: listCredentials,
  $drafts: listDrafts,
  $credentialForms: listCredentialForms,
  $credentialsOfChanges: listCredentialsOfChanges,
  $securedPages: listSecuredPages,
  $securedFilters: listSecuredFilters,
  $securedLengths: listSecuredLengths,
  $securedCreates: listSecuredCreates,
  $alternatives: listAlternatives,
  $lackedScopes: listLackedScopes,
  $lackedScopesOfChanges: listLackedScopesOfChanges,
};
