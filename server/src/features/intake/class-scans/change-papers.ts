import type { ClassScanEdit, Split } from '@assay/shared/class-scans.ts'
import { AppError } from '../../../lib/http/app-error.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import {
  type ClassScanDoc,
  ClassScanModel,
  ClassScanStepModel,
  type ProposalDoc,
} from '../../../records/submissions/class-scan.model.ts'
import type { Services } from '../../../services.ts'
import { countUnreadNames } from './analyse-scan.ts'
import { changeState, findPages, requireClassScan, requireReady } from './class-scan.service.ts'
import { queueAnalysis } from './class-scan-jobs.ts'
import { editProposal, outdated } from './edit-proposal.ts'
import { findScannedCopies, proposePapers } from './propose-papers.ts'
import { proposeForNewPapers, proposeStudents } from './propose-students.ts'

const MAX_STEPS = 100

export async function splitAgain(
  scan: ClassScanDoc,
  { revision, ...split }: Split & { revision: number },
  assignment: AssignmentDoc,
  services: Services,
): Promise<ClassScanDoc> {
  requireReady(scan)
  const pages = await findPages(scan._id, { picture: 0 })
  if (split.by === 'separators' && !pages.some(({ separator }) => separator))
    throw new AppError('bad_request', 'No separator sheet was found in this scan. Split it in another way.')
  if (split.by === 'empty_pages' && !pages.some(({ empty }) => empty))
    throw new AppError('bad_request', 'No empty sheet was found in this scan. Split it in another way.')
  const blankPages = await services.papers.countPages(await services.files.localPath(assignment.blank.hash))
  const proposal = await proposePapers(pages, split, blankPages, await findScannedCopies(pages, assignment))
  await proposeStudents(proposal, scan, assignment.course_id)
  return readNames(await changeProposal(scan, revision, proposal), services)
}

export async function readNames(scan: ClassScanDoc, services: Services): Promise<ClassScanDoc> {
  const total = await countUnreadNames(scan)
  if (total === 0) return scan
  const reading = await changeState(scan._id, ['ready'], {
    state: 'analysing',
    failure: null,
    progress: { step: 'names', done: 0, total },
  })
  if (reading) await queueAnalysis(scan._id, services)
  return reading ?? requireClassScan({ assignmentId: scan.assignment_id, scanId: scan._id })
}

export async function stopReadingNames(scan: ClassScanDoc, { course_id }: AssignmentDoc): Promise<ClassScanDoc | null> {
  const proposal = structuredClone(scan.proposal)
  await proposeStudents(proposal, scan, course_id)
  return changeState(scan._id, ['analysing'], { state: 'ready', proposal, revision: scan.revision + 1 }, scan)
}

export async function editPapers(
  scan: ClassScanDoc,
  revision: number,
  change: ClassScanEdit,
  { course_id }: AssignmentDoc,
): Promise<ClassScanDoc> {
  const proposal = editProposal(scan.proposal, change)
  await proposeForNewPapers(proposal, scan, course_id)
  return changeProposal(scan, revision, proposal)
}

async function changeProposal(scan: ClassScanDoc, revision: number, proposal: ProposalDoc): Promise<ClassScanDoc> {
  requireReady(scan)
  if (scan.revision !== revision) throw outdated()
  const step = `${scan._id}/${revision}`
  // First: if the change fails, nothing leads to this step, and the next change overwrites it.
  await ClassScanStepModel.replaceOne(
    { _id: step },
    { _id: step, scan_id: scan._id, revision, proposal: scan.proposal },
    { upsert: true },
  )
  const changed = await storeProposal(scan, revision, proposal)
  await ClassScanStepModel.deleteMany({ scan_id: scan._id, revision: { $lt: revision - MAX_STEPS } })
  return changed
}

async function storeProposal({ _id }: ClassScanDoc, revision: number, proposal: ProposalDoc): Promise<ClassScanDoc> {
  const changed = await ClassScanModel.findOneAndUpdate(
    { _id, revision, state: 'ready' },
    { $set: { proposal, failure: null, revision: revision + 1 } },
  ).lean()
  if (!changed) throw outdated()
  return changed
}

/** The revision still rises, as nobody has seen these papers at it. */
export async function undo(scan: ClassScanDoc, revision: number, { course_id }: AssignmentDoc): Promise<ClassScanDoc> {
  requireReady(scan)
  const last = await ClassScanStepModel.findOne({ scan_id: scan._id, revision: { $lt: scan.revision } })
    .sort({ revision: -1 })
    .lean()
  if (!last) throw new AppError('conflict', 'There is nothing to undo.')
  await proposeForNewPapers(last.proposal, scan, course_id)
  const changed = await storeProposal(scan, revision, last.proposal)
  await ClassScanStepModel.deleteOne({ _id: last._id })
  return changed
}
