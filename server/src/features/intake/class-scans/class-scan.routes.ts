import {
  type ClassScan,
  type ClassScanPage,
  type ClassScanRow,
  confirmClassScan,
  deleteClassScan,
  editClassScan,
  getClassScan,
  getClassScanPage,
  listClassScans as listEndpoint,
  type PageTurn,
  resumeClassScan,
  splitClassScan,
  stopClassScan,
  undoClassScanEdit,
  uploadClassScan,
} from '@assay/shared/class-scans.ts'
import { MAX_CLASS_SCAN_FILES, MAX_CLASS_SCAN_PAGES } from '@assay/shared/rules/limits.ts'
import type { Router } from 'express'
import sharp from 'sharp'
import { recordAudit } from '../../../audit/audit.service.ts'
import { AppError } from '../../../lib/http/app-error.ts'
import { type Actor, handle } from '../../../lib/http/handle.ts'
import { pictureToShow } from '../../../lib/http/made-file.ts'
import type { ReceivedFile } from '../../../lib/http/uploads.ts'
import { PaperError } from '../../../papers/paper-error.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import type { ClassScanDoc, ClassScanPageDoc, ProposedPageDoc } from '../../../records/submissions/class-scan.model.ts'
import type { Services } from '../../../services.ts'
import { requireNamesShown, type ShowsNames } from '../../anonymity/hidden-names.ts'
import { requireAssignmentFor } from '../../assignments/assignment.service.ts'
import { loadMatchingRoster, requireRosterStudent } from '../../submissions/matching/name-index.ts'
import { submissionsByStudent } from '../../submissions/submission-owners.ts'
import { countUnreadNames, hasPapers } from './analyse-scan.ts'
import { editPapers, readNames, splitAgain, stopReadingNames, undo } from './change-papers.ts'
import {
  canUndo,
  changeState,
  createClassScan,
  deleteClassScans,
  listClassScans,
  requireClassScan,
  requirePage,
  requireReady,
} from './class-scan.service.ts'
import { cancelScanJobs, queueAnalysis, queueConfirmation } from './class-scan-jobs.ts'
import { outdated } from './edit-proposal.ts'

/** Scans show names, so nobody who grades the assignment may open one while names are hidden. */
export function classScanRoutes(router: Router, services: Services): void {
  const { clock, files, papers } = services

  const requireScan = async (actor: Actor, params: { assignmentId: number; scanId: number }) => {
    const assignment = requireNamesShown(await requireAssignmentFor(actor, params.assignmentId))
    return { assignment, scan: await requireClassScan(params) }
  }
  const audit = (actor: Actor, action: string, scan: ClassScanDoc, after?: unknown) =>
    recordAudit(
      actor,
      action,
      { assignment_id: scan.assignment_id, class_scan_id: scan._id },
      clock.now(),
      after === undefined ? {} : { after },
    )

  handle(router, listEndpoint, async ({ params, actor }) => {
    const assignment = requireNamesShown(await requireAssignmentFor(actor, params.assignmentId))
    return (await listClassScans(assignment._id)).map(presentScanRow)
  })

  handle(router, uploadClassScan, async ({ params, actor, receive }) => {
    requireNamesShown(await requireAssignmentFor(actor, params.assignmentId))
    const { body, files: received } = await receive()
    // Receiving may take minutes: load and check again.
    const assignment = requireNamesShown(await requireAssignmentFor(actor, params.assignmentId))
    const counted = await countPages(received.files)
    for (const file of received.files) await files.store(file.path, file.hash)
    const { split_by, pages_per_paper = null } = body
    const split = split_by === undefined ? null : { by: split_by, pages_per_paper }
    const scan = await createClassScan(assignment, counted, split, actor, clock.now())
    await queueAnalysis(scan._id, services)
    return presentScanRow(scan)
  })

  async function countPages(received: readonly ReceivedFile[]): Promise<ClassScanDoc['files']> {
    if (received.length === 0) throw new AppError('bad_request', 'Please select files to upload')
    if (received.length > MAX_CLASS_SCAN_FILES)
      throw new AppError(
        'files_refused',
        `A class scan may have ${MAX_CLASS_SCAN_FILES} files. Upload the others as another scan.`,
      )
    const counted = []
    for (const { hash, name, size, path } of received) {
      const pages = await papers.countPages(path).catch((cause: unknown) => {
        if (!(cause instanceof PaperError)) throw cause
        throw new AppError('files_refused', `${name}: ${cause.message}`, { cause })
      })
      counted.push({ hash, name, size, pages })
    }
    const total = counted.reduce((sum, { pages }) => sum + pages, 0)
    if (total === 0) throw new AppError('files_refused', 'These files have no pages.')
    if (total > MAX_CLASS_SCAN_PAGES)
      throw new AppError(
        'files_refused',
        `These files have ${total} pages; a class scan may have ${MAX_CLASS_SCAN_PAGES}. Upload some of them as another scan.`,
      )
    return counted
  }

  handle(router, getClassScan, async ({ params, actor }) => {
    const { assignment, scan } = await requireScan(actor, params)
    return presentScan(assignment, scan)
  })

  handle(router, getClassScanPage, async ({ params, query, actor }) => {
    const { scan } = await requireScan(actor, params)
    const page = await requirePage(scan._id, params.page)
    const picture = query.size === 'small' ? page.picture : await drawScanPage(scan, page, query.turn, services)
    return pictureToShow(picture, 'image/jpeg', 'private, max-age=3600')
  })

  handle(router, stopClassScan, async ({ params, actor }) => {
    const { assignment, scan } = await requireScan(actor, params)
    // First, so that no job in another process stores anything either.
    const stopped = hasPapers(scan)
      ? await stopReadingNames(scan, assignment)
      : await changeState(scan._id, ['analysing'], { state: 'stopped' })
    if (stopped) await cancelScanJobs(scan._id, services)
    return presentScanRow(stopped ?? (await requireClassScan(params)))
  })

  handle(router, resumeClassScan, async ({ params, actor }) => {
    const { scan } = await requireScan(actor, params)
    const again = await changeState(scan._id, ['stopped', 'failed'], { state: 'analysing', failure: null })
    if (again) await queueAnalysis(scan._id, services)
    else if (scan.state === 'confirming') {
      await changeState(scan._id, ['confirming'], { failure: null })
      await queueConfirmation(scan._id, services)
    } else if (scan.state === 'ready') await readNames(scan, services)
    return presentScanRow(await requireClassScan(params))
  })

  handle(router, splitClassScan, async ({ params, body, actor }) => {
    const { assignment, scan } = await requireScan(actor, params)
    return presentScan(assignment, await splitAgain(scan, body, assignment, services))
  })

  handle(router, editClassScan, async ({ params, body, actor }) => {
    const { assignment, scan } = await requireScan(actor, params)
    if (body.edit.kind === 'student' && body.edit.student_id !== null)
      await requireRosterStudent(assignment.course_id, body.edit.student_id, ['body', 'edit', 'student_id'])
    return presentScan(assignment, await editPapers(scan, body.revision, body.edit, assignment))
  })

  handle(router, undoClassScanEdit, async ({ params, body, actor }) => {
    const { assignment, scan } = await requireScan(actor, params)
    return presentScan(assignment, await undo(scan, body.revision, assignment))
  })

  handle(router, confirmClassScan, async ({ params, body, actor }) => {
    const { scan } = await requireScan(actor, params)
    if (scan.state === 'confirming' || scan.state === 'confirmed') return presentScanRow(scan)
    requireReady(scan)
    if (scan.revision !== body.revision) throw outdated()
    const total = scan.proposal.papers.length
    if (total === 0) throw new AppError('bad_request', 'There are no papers to confirm.')
    const confirmed = await changeState(
      scan._id,
      ['ready'],
      { state: 'confirming', failure: null, progress: { step: 'papers', done: 0, total }, confirmed_by: actor.id },
      scan,
    )
    if (!confirmed) {
      const now = await requireClassScan(params)
      // Confirmed at the same moment, or these are not the papers that were looked over.
      if (now.state === 'confirming' || now.state === 'confirmed') return presentScanRow(now)
      throw outdated()
    }
    await audit(actor, 'class_scan.confirmed', scan, { papers: total })
    await queueConfirmation(scan._id, services)
    return presentScanRow(confirmed)
  })

  handle(router, deleteClassScan, async ({ params, actor }) => {
    const { scan } = await requireScan(actor, params)
    await deleteClassScans([scan._id], services)
    await audit(actor, 'class_scan.deleted', scan)
    return { message: 'The class scan has been deleted.' }
  })
}

/** In pixels: handwriting is read well at it. */
const LARGE_WIDTH = 1200

async function drawScanPage(
  scan: ClassScanDoc,
  { file, number }: ClassScanPageDoc,
  turn: PageTurn,
  { files, papers }: Pick<Services, 'files' | 'papers'>,
): Promise<Buffer> {
  const path = await files.localPath(scan.files[file]?.hash ?? '')
  try {
    const png = await papers.renderPage(path, number, { width: LARGE_WIDTH })
    return await sharp(png).rotate(turn).jpeg({ quality: 75 }).toBuffer()
  } catch (cause) {
    if (!(cause instanceof PaperError)) throw cause
    throw new AppError('bad_request', cause.message, { cause })
  }
}

function presentScanRow(scan: ClassScanDoc): ClassScanRow {
  return {
    id: scan._id,
    assignment_id: scan.assignment_id,
    state: scan.state,
    failure: scan.failure,
    files: scan.files.map(({ name, pages }) => ({ name, pages })),
    pages: scan.files.reduce((sum, { pages }) => sum + pages, 0),
    progress: scan.progress,
    split: scan.proposal.split,
    created_at: scan.created_at.toISOString(),
  }
}

async function presentScan(assignment: ShowsNames<AssignmentDoc>, scan: ClassScanDoc): Promise<ClassScan> {
  const roster = await loadMatchingRoster(assignment.course_id)
  const ids = roster.map(({ _id }) => _id)
  const owners = await submissionsByStudent(assignment._id, ids)
  return {
    ...presentScanRow(scan),
    revision: scan.revision,
    papers: scan.proposal.papers.map(({ file: _, match_reason: __, submission_id = null, pages, ...paper }) => ({
      ...paper,
      pages: pages.map(presentPage),
      submission_id,
    })),
    dropped: scan.proposal.dropped.map(presentPage),
    can_undo: await canUndo(scan),
    names_unread: await countUnreadNames(scan),
    students: roster
      .map(({ _id, full_name, username }) => ({
        id: _id,
        name: full_name ?? username,
        username,
        has_paper: owners.has(_id),
      }))
      .sort((a, b) => a.name.localeCompare(b.name)),
  }
}

const presentPage = ({ offers = [], ...page }: ProposedPageDoc): ClassScanPage => ({ ...page, offers })
