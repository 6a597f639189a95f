import { z } from 'zod'
import { checkDocument } from './bson-documents.ts'

const Stored = z.object({ hash: z.string() }).nullish().catch(null)
const Hash = z.object({ hash: z.string() })
const Photo = z.object({ hash: z.string(), view: z.object({ hash: z.string() }) })
const StoredPaper = z
  .object({ hash: z.string(), photos: z.array(Photo).nullish() })
  .nullish()
  .catch(null)
const Submission = z.object({
  file: StoredPaper,
  attempts: z
    .array(z.object({ file: StoredPaper }).catch({ file: null }))
    .nullish()
    .catch(null),
})
const ClassScan = z.object({
  state: z.string(),
  files: z.array(z.object({ hash: z.string() })),
  proposal: z.object({ papers: z.array(z.object({ file: Stored })) }),
})
const PhotoDraft = z.object({ pages: z.array(z.object({ photo: Photo, sheet: Hash, preview: Hash })) })
const Assignment = z.object({ blank: Stored, key: Stored })

/**
 * The hashes of the papers that a document refers to, as stored by the models of `records/`. The sweep of unreferenced files looks at the
 * same fields.
 */
export function papersOf(collection: string, document: Uint8Array): string[] {
  if (collection === 'submissions') {
    const { file, attempts } = Submission.parse(checkDocument(document))
    return [file, ...(attempts ?? []).map((attempt) => attempt.file)].flatMap((stored) =>
      stored ? [stored.hash, ...(stored.photos ?? []).flatMap(filesOfPhoto)] : [],
    )
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
  if (collection === 'photo_drafts') {
    const { pages } = PhotoDraft.parse(checkDocument(document))
    return pages.flatMap(({ photo, sheet, preview }) => [...filesOfPhoto(photo), sheet.hash, preview.hash])
  }
  return []
}

const filesOfPhoto = ({ hash, view }: z.infer<typeof Photo>) => [hash, view.hash]

export const COLLECTIONS_WITH_PAPERS = ['submissions', 'assignments', 'class_scans', 'photo_drafts']
