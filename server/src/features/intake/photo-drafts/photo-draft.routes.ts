import { readFile } from 'node:fs/promises'
import {
  addPhoto,
  changePhoto,
  deletePhotoDraft,
  getPhotoDraft,
  getPhotoPicture,
  handInPhotos,
  orderPhotos,
  removePhoto,
  uploadPhotos,
} from '@assay/shared/photo-drafts.ts'
import { MAX_PDF_BYTES } from '@assay/shared/rules/limits.ts'
import type { Router } from 'express'
import { AppError } from '../../../lib/http/app-error.ts'
import { type Actor, allow, handle, RawReply } from '../../../lib/http/handle.ts'
import { sendStoredPicture } from '../../../lib/http/send-pdf.ts'
import { sum } from '../../../lib/numbers.ts'
import { only } from '../../../lib/only.ts'
import { storeMadeFile } from '../../../lib/storage/file-store.ts'
import { picturesToPdf } from '../../../papers/pdf/pictures-to-pdf.ts'
import { bytesOfPage, type PhotoDraftDoc } from '../../../records/submissions/photo-draft.model.ts'
import type { SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import type { Services } from '../../../services.ts'
import { requireNamesShown } from '../../anonymity/hidden-names.ts'
import { assignmentExists, requireAssignmentFor } from '../../assignments/assignment.service.ts'
import {
  assertNotReleased,
  assertRoomForPhotos,
  handIn,
  requireOpenWindow,
  wasHandedIn,
} from '../../students/hand-in.ts'
import { findOwnWork, presentAssignmentDetails, requireOwnAssignment } from '../../students/student-assignment.ts'
import { requireRosterStudent } from '../../submissions/matching/name-index.ts'
import { presentRows } from '../../submissions/submission.present.ts'
import { addSubmissions } from '../../submissions/submission.service.ts'
import { findNewestSubmission, findPaperOfPhotoDraft } from '../../submissions/submission-queries.ts'
import { requireUser } from '../../users/user.service.ts'
import {
  addedPages,
  changeDraft,
  changedPage,
  closeDraft,
  createPhotoBudget,
  deleteDraft,
  findDraft,
  inOrder,
  presentDraft,
  requirePage,
  requireRoomFor,
  requireRoomInDrafts,
  TOO_MANY_MESSAGE,
} from './photo-draft.service.ts'

/** One draft for each person and assignment; no call leads to another's. */
export function photoDraftRoutes(router: Router, services: Services): void {
  const { clock, files } = services
  const budget = createPhotoBudget(clock)

  async function requireOwner(actor: Actor, assignmentId: number) {
    if (actor.role !== 'student') await requireAssignmentFor(actor, assignmentId)
    else {
      await requireOwnAssignment(actor, assignmentId)
      allow('yes') // Loaded as the caller's own.
    }
    return { assignmentId, userId: actor.id }
  }

  async function requireChangeable(actor: Actor, assignmentId: number) {
    const owner = await requireOwner(actor, assignmentId)
    if (actor.role === 'student') {
      const { assignment } = await requireOwnAssignment(actor, assignmentId)
      await requireOpenWindow(assignment, actor.id, clock.now())
      await assertNotReleased(assignment, actor)
    }
    return owner
  }

  handle(router, getPhotoDraft, async ({ params, actor }) =>
    presentDraft(await findDraft(await requireOwner(actor, params.assignmentId))),
  )

  handle(router, addPhoto, async ({ params: { assignmentId, key }, actor, receive, signal }) => {
    const owner = await requireChangeable(actor, assignmentId)
    const { files: received } = await receive()
    const { photo } = received
    if (!photo) throw new AppError('bad_request', 'Please select files to upload')
    const before = await findDraft(owner)
    if (before?.pages.some((page) => page.key === key)) return presentDraft(before)
    requireRoomFor(photo.size, before?.pages ?? [])
    await requireRoomInDrafts(actor.id, photo.size)
    budget.spend(actor.id, photo.size)
    const added = await addedPages(key, photo, services, signal)
    budget.spend(actor.id, sum(added.map((page) => bytesOfPage(page) - page.photo.size)))
    const own = actor.role === 'student' ? await findNewestSubmission(actor.id, assignmentId) : null
    // The sender has cancelled; after a lost connection it is sent again.
    if (signal.aborted) throw new AppError('bad_request', 'The upload was interrupted. Please try again.')
    // The assignment may have been unpublished meanwhile, or the student removed.
    await requireOwner(actor, assignmentId)
    const draft = await changeDraft(owner, clock.now(), (pages) => {
      if (pages.some((one) => one.key === key)) return pages
      for (const [i, page] of added.entries()) requireRoomFor(page, [...pages, ...added.slice(0, i)])
      const all = [...pages, ...added]
      const photos = all.map((one) => one.photo)
      assertRoomForPhotos(own, photos)
      return all
    })
    // The deletion had looked for drafts before this one was stored.
    if (!(await assignmentExists(assignmentId))) await deleteDraft(owner)
    return presentDraft(draft)
  })

  handle(router, changePhoto, async ({ params: { assignmentId, key }, body, actor, signal }) => {
    const owner = await requireChangeable(actor, assignmentId)
    const page = await requirePage(owner, key)
    // Its size is known only once it is made; the page before was about as large.
    budget.spend(actor.id, page.sheet.size + page.preview.size)
    const changed = await changedPage(page, body, services, signal)
    // Removed on another device, it stays so.
    return presentDraft(
      await changeDraft(owner, clock.now(), (pages) => pages.map((page) => (page.key === key ? changed : page))),
    )
  })

  handle(router, removePhoto, async ({ params: { assignmentId, key }, actor }) => {
    const owner = await requireOwner(actor, assignmentId)
    const draft = await findDraft(owner)
    if (!draft?.pages.some((page) => page.key === key)) return presentDraft(draft)
    return presentDraft(await changeDraft(owner, clock.now(), (pages) => pages.filter((page) => page.key !== key)))
  })

  handle(router, orderPhotos, async ({ params, body, actor }) => {
    const owner = await requireChangeable(actor, params.assignmentId)
    return presentDraft(await changeDraft(owner, clock.now(), (pages) => inOrder(pages, body.keys)))
  })

  handle(router, deletePhotoDraft, async ({ params, actor }) => {
    await deleteDraft(await requireOwner(actor, params.assignmentId))
    return presentDraft(null)
  })

  handle(router, getPhotoPicture, async ({ params: { assignmentId, key }, query, actor }) => {
    const { preview, photo } = await requirePage(await requireOwner(actor, assignmentId), key)
    const { hash } = query.of === 'sheet' ? preview : photo.view
    return new RawReply((response) => sendStoredPicture({ hash, type: 'jpeg' }, files, response))
  })

  handle(router, handInPhotos, async ({ params: { assignmentId }, body, actor, signal }) => {
    const at = clock.now()
    const own = await requireOwnAssignment(actor, assignmentId)
    allow('yes') // Loaded as the caller's own.
    const owner = { assignmentId, userId: actor.id }
    const present = async () =>
      presentAssignmentDetails(own, await findOwnWork(actor.id, own.assignment), actor, clock.now())
    const finishEarlier = async () => {
      if (!(await wasHandedIn(actor, assignmentId, draftAsSeen(body)))) return null
      await closeDraft(owner, body)
      return present()
    }
    const earlier = await finishEarlier()
    if (earlier) return earlier
    const { late } = await requireOpenWindow(own.assignment, actor.id, at)
    await assertNotReleased(own.assignment, actor)
    const found = await findDraft(owner)
    // Sent twice at once, the other may have handed it in.
    const meanwhile = isAsSeen(found, body) ? null : await finishEarlier()
    if (meanwhile) return meanwhile
    const draft = requireAsSeen(found, body)
    const paper = await paperOfDraft(draft, services)
    const student = await requireUser(actor.id)
    await handIn(own.assignment, { student, ...paper, handwritten: body.is_handwritten, late, at }, services, signal)
    await closeDraft(owner, body)
    return present()
  })

  handle(router, uploadPhotos, async ({ params: { assignmentId }, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, assignmentId)
    const owner = { assignmentId, userId: actor.id }
    const finish = async (paper: SubmissionDoc) => {
      if (body.student_id !== null && paper.student_id !== body.student_id)
        throw new AppError('conflict', OTHERS_PAPER_MESSAGE)
      await closeDraft(owner, body)
      return only(await presentRows(assignment, [paper], services))
    }
    const earlier = await findPaperOfPhotoDraft(assignmentId, draftAsSeen(body))
    if (earlier) return finish(earlier)
    const found = await findDraft(owner)
    const meanwhile = isAsSeen(found, body) ? null : await findPaperOfPhotoDraft(assignmentId, draftAsSeen(body))
    if (meanwhile) return finish(meanwhile)
    const draft = requireAsSeen(found, body)
    const student =
      body.student_id === null
        ? null
        : await requireRosterStudent(requireNamesShown(assignment).course_id, body.student_id)
    const paper = { ...(await paperOfDraft(draft, services)), handwritten: body.is_handwritten, student }
    return finish(only(await addSubmissions(assignment, [paper], actor, files, clock.now())))
  })
}

const OTHERS_PAPER_MESSAGE =
  'These photos have been uploaded before, and that paper is not this student’s. Match it in the list of papers, or remove the photos here.'

type SeenDraft = { draft_id: string; revision: number }

const isAsSeen = (draft: PhotoDraftDoc | null, seen: SeenDraft): draft is PhotoDraftDoc =>
  draft?.draft === seen.draft_id && draft.revision === seen.revision

function requireAsSeen(draft: PhotoDraftDoc | null, seen: SeenDraft): PhotoDraftDoc {
  if (isAsSeen(draft, seen)) return draft
  throw new AppError(
    'conflict',
    'These photos were changed meanwhile, maybe on another device. Look at them and hand in again.',
  )
}

const draftAsSeen = ({ draft_id, revision }: { draft_id: string; revision: number }) => `${draft_id}/${revision}`

/** The same draft makes the same file. */
async function paperOfDraft(
  { draft, revision, pages }: PhotoDraftDoc,
  services: Pick<Services, 'files' | 'uploadFolder' | 'config'>,
) {
  if (pages.length === 0) throw new AppError('bad_request', 'Add a photo first.')
  const jpegs: Buffer[] = []
  for (const { sheet } of pages) jpegs.push(await readFile(await services.files.localPath(sheet.hash)))
  const pdf = picturesToPdf(
    pages.map(({ pixels, points }, i) => ({ jpeg: jpegs[i] ?? Buffer.alloc(0), pixels, points })),
  )
  if (pdf.length > MAX_PDF_BYTES) throw new AppError('files_refused', TOO_MANY_MESSAGE)
  const stored = await storeMadeFile(pdf, services)
  await keepPhotos(pages, services)
  const name = `Photos (${pages.length} ${pages.length === 1 ? 'page' : 'pages'}).pdf`
  return {
    file: { field: 'photos', name, path: '', ...stored },
    photos: pages.map(({ photo }) => photo),
    draft: draftAsSeen({ draft_id: draft, revision }),
  }
}

/** Renews old files, so that no sweep deletes them before the paper refers to them. */
async function keepPhotos(pages: PhotoDraftDoc['pages'], { files }: Pick<Services, 'files'>): Promise<void> {
  for (const { photo, file_name } of pages)
    for (const hash of [photo.hash, photo.view.hash])
      if (!(await files.keep(hash)))
        throw new AppError('conflict', `${file_name} is not stored any more. Remove it, and add it again.`)
}
