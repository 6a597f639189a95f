import type { TypedFields } from './criterion-fields.ts'
import type { GradeDraft } from './grade-form.ts'

/**
 * Unsaved text by person and submission. Outlives the screen, so that an ended session costs nobody their words, but
 * not the tab.
 */
function createDrafts<T>() {
  const drafts = new Map<string, T>()
  const keyOf = (userId: number, submissionId: number) => `${userId}/${submissionId}`
  return {
    find: (userId: number, submissionId: number) => drafts.get(keyOf(userId, submissionId)) ?? null,
    save: (userId: number, submissionId: number, draft: T) => void drafts.set(keyOf(userId, submissionId), draft),
    remove: (userId: number, submissionId: number) => void drafts.delete(keyOf(userId, submissionId)),
    clear: () => drafts.clear(),
  }
}

export const gradeDrafts = createDrafts<GradeDraft>()

export const fieldDrafts = createDrafts<TypedFields>()
