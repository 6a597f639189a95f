import type { PhotoDraft } from '@assay/shared/photo-drafts.ts'
import type { PhotoDraftDoc } from '../../records/submissions/photo-draft.model.ts'

export function presentDraft(draft: PhotoDraftDoc | null): PhotoDraft {
  if (!draft) return { id: null, revision: 0, expires_at: null, pages: [] }
  const { draft: id, revision, expires_at, pages } = draft
  return {
    id,
    revision,
    expires_at: pages.length > 0 ? expires_at.toISOString() : null,
    pages: pages.map(({ key, file_name, corners, turns, doubts, sheet }) => ({
      ...{ key, file_name, corners, turns, doubts },
      version: sheet.hash.slice(0, 16),
    })),
  }
}
