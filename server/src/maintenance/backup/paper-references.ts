import { z } from 'zod'
import { checkDocument } from './bson-documents.ts'

const Stored = z.object({ hash: z.string() }).nullish().catch(null)
const Submission = z.object({
  file: Stored,
  attempts: z
    .array(z.object({ file: Stored }).catch({ file: null }))
    .nullish()
    .catch(null),
})
const ClassScan = z.object({
  state: z.string(),
  files: z.array(z.object({ hash: z.string() })),
  proposal: z.object({ papers: z.array(z.object({ file: Stored })) }),
})
const Assignment = z.object({ blank: Stored, key: Stored })

/**
 * The hashes of the papers that a document refers to, as stored by the models of `records/`. The sweep of unreferenced files looks at the
 * same fields.
 */
export function papersOf(collection: string, document: Uint8Array): string[] {
  if (collection === 'submissions') {
    const { file, attempts } = Submission.parse(checkDocument(document))
    return [file, ...(attempts ?? []).map((attempt) => attempt.file)].flatMap((stored) => stored?.hash ?? [])
  }
  if (collection === 'assignments') {
    const { blank, key } = Assignment.parse(checkDocument(document))
    return [blank, key].flatMap((stored) => stored?.hash ?? [])
  }
  if (collection === 'class_scans') {
    const { state, files, proposal } = ClassScan.parse(checkDocument(document))
    const made = proposal.papers.flatMap(({ file }) => file?.hash ?? [])
    return state === 'confirmed' ? [] : [...files.map(({ hash }) => hash), ...made]
  }
  return []
}

export const COLLECTIONS_WITH_PAPERS = ['submissions', 'assignments', 'class_scans']
