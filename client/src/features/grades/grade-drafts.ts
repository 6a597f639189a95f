import type { TypedFields } from './criterion-fields.ts'
import type { GradeDraft } from './grade-form.ts'

/**
 * What is typed and not saved, by whom and for which submission. It outlives the screen, so that a session that
 * ends while someone types costs them a sign-in and not their words; it does not outlive the tab.
 */
function createDrafts<T>() {
  const drafts = new Map<string, T>()
  const keyOf = (userId: number, submissionId: number) => `${userId}/${submissionId}`
  return {
    find: (userId: number, submissionId: number) => drafts.get(keyOf(userId, submissionId)) ?? null,
    save: (userId: number, submissionId: number, draft: T) => void drafts.set(keyOf(userId, submissionId), draft),
    remove: (userId: number, submissionId: number) => void drafts.delete(keyOf(userId, submissionId)),
    /** For tests, which begin without any. */
    clear: () => drafts.clear(),
  }
}

/** Of the form for the whole grade. */
export const gradeDrafts = createDrafts<GradeDraft>()

/** Of the fields of criteria, each of which is stored by itself. */
export const fieldDrafts = createDrafts<TypedFields>()
