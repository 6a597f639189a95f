import { renameLtiCollections } from './0001-rename-lti-collections.ts'
import { renameLlmRecords } from './0002-rename-llm-records.ts'
import { renameLlmCallError } from './0003-rename-llm-call-error.ts'
import { renameRubricGenerations } from './0004-rename-rubric-generations.ts'
import { separateLtiIdentities } from './0005-separate-lti-identities.ts'
import { countAnalyticsChanges } from './0006-count-analytics-changes.ts'
import { dropAmendmentPreviews } from './0007-drop-amendment-previews.ts'
import { removeAuditSeals } from './0008-remove-audit-seals.ts'
import { unflagSmallClasses } from './0009-unflag-small-classes.ts'
import { storePoints } from './0010-store-points.ts'
import type { Migration } from './migration.ts'

/** In order, by recorded name. Never renamed, reordered or removed. */
export const migrations: Record<string, Migration> = {
  '0001-rename-lti-collections': { compatibleWith: 'none', run: renameLtiCollections },
  '0002-rename-llm-records': { compatibleWith: 'none', run: renameLlmRecords },
  '0003-rename-llm-call-error': { compatibleWith: 'none', run: renameLlmCallError },
  '0004-rename-rubric-generations': { compatibleWith: 'none', run: renameRubricGenerations },
  '0005-separate-lti-identities': { compatibleWith: 'none', run: separateLtiIdentities },
  '0006-count-analytics-changes': { compatibleWith: 'none', run: countAnalyticsChanges },
  '0007-drop-amendment-previews': { compatibleWith: 'none', run: dropAmendmentPreviews },
  '0008-remove-audit-seals': { compatibleWith: 'all', run: removeAuditSeals },
  '0009-unflag-small-classes': { compatibleWith: 'all', run: unflagSmallClasses },
  '0010-store-points': { compatibleWith: 'none', run: storePoints },
}

export const migrationNames = (): string[] => Object.keys(migrations)
