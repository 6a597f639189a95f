import { z } from 'zod'
import { BodyId, defineEndpoint, Id, positionUpTo, Timestamp } from './http/endpoint.ts'
import { MAX_CLASS_SCAN_PAGES } from './rules/limits.ts'

// PDFs of a whole class, which a teacher looks over before they become submissions.

/** `blank`: by printed codes, else by the blank's print; `empty_pages`: at sheets with nothing on them. */
export const splitWays = ['blank', 'separators', 'page_count', 'empty_pages'] as const
export const SplitWay = z.enum(splitWays)
export type SplitWay = z.infer<typeof SplitWay>

const PagesPerPaper = z.number().int().min(1).max(200)

export const Split = z.object({ by: SplitWay, pages_per_paper: PagesPerPaper.nullable() })
export type Split = z.infer<typeof Split>

/** Degrees clockwise that make a page upright. */
export const PageTurn = z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)])
export type PageTurn = z.infer<typeof PageTurn>

/** A duplicated page has the same number in two papers. */
export const ClassScanPage = z.object({
  key: z.string(),
  /** In the stack, from 1, over all files. */
  page: z.number().int(),
  turn: PageTurn,
  blank_page: z.number().int().nullable(),
  doubts: z.array(z.string()),
  /** Keys of the papers that lack just this page, the likeliest first, where no code tells. */
  offers: z.array(z.string()),
})
export type ClassScanPage = z.infer<typeof ClassScanPage>

export const ClassScanPaper = z.object({
  key: z.string(),
  pages: z.array(ClassScanPage),
  notes: z.array(z.string()),
  student_id: Id.nullable(),
  /** `code`: printed on its pages. */
  student_by: z.enum(['match', 'code', 'teacher']).nullable(),
  student_doubt: z.string().nullable(),
  name_read: z.string().nullable(),
  checked: z.boolean(),
  submission_id: Id.nullable(),
})
export type ClassScanPaper = z.infer<typeof ClassScanPaper>

export const ClassScanState = z.enum(['analysing', 'stopped', 'failed', 'ready', 'confirming', 'confirmed'])
export type ClassScanState = z.infer<typeof ClassScanState>

export const ClassScanRow = z.object({
  id: Id,
  assignment_id: Id,
  state: ClassScanState,
  failure: z.string().nullable(),
  files: z.array(z.object({ name: z.string(), pages: z.number().int() })),
  pages: z.number().int(),
  progress: z.object({ step: z.enum(['pages', 'names', 'papers']), done: z.number().int(), total: z.number().int() }),
  split: Split,
  created_at: Timestamp,
})
export type ClassScanRow = z.infer<typeof ClassScanRow>

export const ClassScan = ClassScanRow.extend({
  /** Raised by every change, so that nobody changes what they have not seen. */
  revision: z.number().int(),
  papers: z.array(ClassScanPaper),
  dropped: z.array(ClassScanPage),
  can_undo: z.boolean(),
  /** Papers whose names `resume` has yet to read. */
  names_unread: z.number().int(),
  students: z.array(z.object({ id: Id, name: z.string(), username: z.string(), has_paper: z.boolean() })),
})
export type ClassScan = z.infer<typeof ClassScan>

const Key = z.string().max(60)
const Keys = z.array(Key).min(1).max(MAX_CLASS_SCAN_PAGES)

export const ClassScanEdit = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('move'), pages: Keys, paper: Key.nullable(), before: Key.nullable() }),
  z.object({ kind: z.literal('turn'), pages: Keys, degrees: z.union([z.literal(90), z.literal(180), z.literal(270)]) }),
  z.object({ kind: z.literal('drop'), pages: Keys }),
  /** Into another paper, or twice into its own. */
  z.object({ kind: z.literal('duplicate'), page: Key, paper: Key.nullable() }),
  z.object({ kind: z.literal('split'), page: Key }),
  z.object({ kind: z.literal('join'), paper: Key }),
  z.object({ kind: z.literal('student'), paper: Key, student_id: BodyId.nullable() }),
  z.object({ kind: z.literal('check'), paper: Key, checked: z.boolean() }),
])
export type ClassScanEdit = z.infer<typeof ClassScanEdit>

const Revision = z.object({ revision: z.number().int() })

const path = '/assignments/:assignmentId/class-scans'

export const listClassScans = defineEndpoint('get', path, {
  summary: 'The class scans of an assignment, the newest first',
  reply: z.array(ClassScanRow),
})

export const uploadClassScan = defineEndpoint('post', path, {
  summary: 'Upload scans of a whole class in one or several PDFs, in order, to be split into papers',
  files: { files: 'many' },
  fileType: 'class-scan',
  body: z
    .object({
      /** Absent: at separator sheets where there is about one a paper and no code, else by the blank. */
      split_by: SplitWay.optional(),
      pages_per_paper: z.coerce.number().int().min(1).max(200).optional(),
    })
    .refine(({ split_by, pages_per_paper }) => split_by !== 'page_count' || pages_per_paper !== undefined, {
      message: 'Say how many pages a paper has.',
      path: ['pages_per_paper'],
    }),
  status: 202,
  reply: ClassScanRow,
})

export const getClassScan = defineEndpoint('get', `${path}/:scanId`, {
  summary: 'A class scan with the papers it is proposed to be split into',
  reply: ClassScan,
})

export const getClassScanPage = defineEndpoint('get', `${path}/:scanId/pages/:page`, {
  summary: 'A picture of one page of a class scan: small as it lies in the file, or large and turned',
  params: z.object({ assignmentId: Id, scanId: Id, page: positionUpTo(MAX_CLASS_SCAN_PAGES) }),
  query: z.object({
    size: z.enum(['small', 'large']).default('small'),
    /** Degrees clockwise, of the large one. */
    turn: z.coerce.number().pipe(PageTurn).default(0),
  }),
  reply: z.void(),
  raw: 'image/jpeg',
})

export const stopClassScan = defineEndpoint('post', `${path}/:scanId/stop`, {
  summary: 'Stop looking at the pages, or reading the names; what was found stays',
  reply: ClassScanRow,
})

export const resumeClassScan = defineEndpoint('post', `${path}/:scanId/resume`, {
  summary: 'Go on with the pages that were not looked at yet, the names not read yet, or the papers not made yet',
  reply: ClassScanRow,
})

export const splitClassScan = defineEndpoint('put', `${path}/:scanId/split`, {
  summary: 'Split it in just this way; names at new tops are read, and undo brings back the papers as they were',
  body: Split.extend(Revision.shape).refine(
    ({ by, pages_per_paper }) => by !== 'page_count' || pages_per_paper !== null,
    { message: 'Say how many pages a paper has.', path: ['pages_per_paper'] },
  ),
  reply: ClassScan,
})

export const editClassScan = defineEndpoint('post', `${path}/:scanId/edits`, {
  summary: 'Change the proposed papers',
  body: Revision.extend({ edit: ClassScanEdit }),
  reply: ClassScan,
})

export const undoClassScanEdit = defineEndpoint('post', `${path}/:scanId/undo`, {
  summary: 'Undo the last change of the proposed papers',
  body: Revision,
  reply: ClassScan,
})

export const confirmClassScan = defineEndpoint('post', `${path}/:scanId/confirm`, {
  summary: 'Make the papers submissions of the assignment; nothing is graded',
  body: Revision,
  status: 202,
  reply: ClassScanRow,
})

export const deleteClassScan = defineEndpoint('delete', `${path}/:scanId`, {
  summary: 'Delete a class scan; submissions made from it stay',
  reply: z.object({ message: z.string() }),
})
