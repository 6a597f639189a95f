import type { Split } from '@assay/shared/class-scans.ts'
import { mongo } from 'mongoose'
import { recordAudit } from '../../../audit/audit.service.ts'
import { nextId } from '../../../lib/database/database.ts'
import { AppError, notFound, orNotFound } from '../../../lib/http/app-error.ts'
import type { Actor } from '../../../lib/http/handle.ts'
import { PaperError } from '../../../papers/paper-error.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import {
  type ClassScanDoc,
  ClassScanModel,
  type ClassScanPageDoc,
  ClassScanPageModel,
  ClassScanStepModel,
} from '../../../records/submissions/class-scan.model.ts'
import type { Services } from '../../../services.ts'

export const requireClassScan = (ids: { assignmentId: number; scanId: number }): Promise<ClassScanDoc> =>
  orNotFound(
    ClassScanModel.findOne({ _id: ids.scanId, assignment_id: ids.assignmentId }).lean(),
    'This class scan does not exist.',
  )

export const findClassScan = (scanId: number): Promise<ClassScanDoc | null> => ClassScanModel.findById(scanId).lean()

export const listClassScans = (assignmentId: number) =>
  ClassScanModel.find({ assignment_id: assignmentId }, { 'proposal.papers': 0, 'proposal.dropped': 0 })
    .sort({ _id: -1 })
    .lean()

export async function createClassScan(
  assignment: AssignmentDoc,
  files: ClassScanDoc['files'],
  split: Split | null,
  actor: Actor,
  now: Date,
): Promise<ClassScanDoc> {
  const pages = files.reduce((sum, file) => sum + file.pages, 0)
  const scan: ClassScanDoc = {
    _id: await nextId('class_scans'),
    assignment_id: assignment._id,
    created_by: actor.id,
    created_at: now,
    state: 'analysing',
    failure: null,
    files,
    progress: { step: 'pages', done: 0, total: pages },
    proposal: { papers: [], dropped: [], split: split ?? { by: 'blank', pages_per_paper: null } },
    split_chosen: split !== null,
    revision: 0,
  }
  await ClassScanModel.create(scan)
  const subject = { assignment_id: assignment._id, class_scan_id: scan._id }
  await recordAudit(actor, 'class_scan.uploaded', subject, now, { after: { files: files.length, pages } })
  return scan
}

export function changeState(
  scanId: number,
  from: ClassScanDoc['state'][],
  set: Partial<ClassScanDoc>,
  /** Only if the papers are unchanged: `set` would restore older ones. */
  unchanged: Pick<ClassScanDoc, 'revision'> | null = null,
): Promise<ClassScanDoc | null> {
  return ClassScanModel.findOneAndUpdate(
    { _id: scanId, state: { $in: from }, ...(unchanged && { revision: unchanged.revision }) },
    { $set: set },
  ).lean()
}

export async function storeProgress(scanId: number, progress: ClassScanDoc['progress']): Promise<void> {
  await ClassScanModel.updateOne({ _id: scanId, state: { $in: ['analysing', 'confirming'] } }, { $set: { progress } })
}

export const canUndo = async (scan: ClassScanDoc): Promise<boolean> =>
  scan.state === 'ready' &&
  (await ClassScanStepModel.exists({ scan_id: scan._id, revision: { $lt: scan.revision } })) !== null

export function requireReady({ state }: ClassScanDoc): void {
  if (state === 'ready') return
  throw new AppError(
    'conflict',
    state === 'confirming' || state === 'confirmed'
      ? 'This class scan is confirmed. Change its papers among the submissions.'
      : 'The pages of this class scan have not all been looked at yet.',
  )
}

export async function findPages(
  scanId: number,
  fields: { picture: 0; written?: 0 } | Partial<Record<keyof ClassScanPageDoc, 1>>,
): Promise<ClassScanPageDoc[]> {
  const found = await ClassScanPageModel.find({ scan_id: scanId }, fields).sort({ page: 1 }).lean<ClassScanPageDoc[]>()
  return found.map((page) =>
    page.written ? { ...page, written: { ...page.written, bits: bytesOf(page.written.bits) } } : page,
  )
}

export async function requirePage(scanId: number, page: number): Promise<ClassScanPageDoc> {
  const found = await ClassScanPageModel.findOne({ scan_id: scanId, page }).lean()
  if (!found) throw notFound('This page does not exist, or was not looked at yet.')
  return { ...found, picture: bytesOf(found.picture) }
}

/** The database wraps bytes. */
const bytesOf = (stored: Buffer | mongo.Binary): Buffer =>
  Buffer.from(stored instanceof mongo.Binary ? stored.buffer : stored)

interface Cancelling {
  jobs: Pick<Services['jobs'], 'cancel'>
}

export const scanJobGroup = (scanId: number): string => `class-scan/${scanId}`

export async function deleteClassScans(scanIds: readonly number[], { jobs }: Cancelling): Promise<void> {
  // First: a job goes on storing what it finds.
  for (const scanId of scanIds) await jobs.cancel(scanJobGroup(scanId))
  const ids = { $in: [...scanIds] }
  await ClassScanModel.deleteMany({ _id: ids })
  await deleteScanDetails(scanIds)
}

export async function deleteScanDetails(scanIds: readonly number[]): Promise<void> {
  const ids = { $in: [...scanIds] }
  await ClassScanPageModel.deleteMany({ scan_id: ids })
  await ClassScanStepModel.deleteMany({ scan_id: ids })
}

export async function sweepScanDetails(): Promise<number> {
  const ids: number[] = [
    ...(await ClassScanPageModel.distinct('scan_id')),
    ...(await ClassScanStepModel.distinct('scan_id')),
  ]
  const open: number[] = await ClassScanModel.distinct('_id', { _id: { $in: ids }, state: { $ne: 'confirmed' } })
  const gone = [...new Set(ids)].filter((id) => !open.includes(id))
  await deleteScanDetails(gone)
  return gone.length
}

/** Another process may have stopped or deleted the scan, but cannot abort the job here. */
export const isStill = async (scanId: number, state: ClassScanDoc['state']): Promise<boolean> =>
  (await ClassScanModel.exists({ _id: scanId, state })) !== null

/** Details stored after a deletion go with the scan; those of a stopped scan stay. */
export async function leave(scanId: number): Promise<never> {
  if (!(await findClassScan(scanId))) await deleteScanDetails([scanId])
  throw new PaperError('cancelled')
}

export async function deleteClassScansOf(assignmentId: number, services: Cancelling): Promise<void> {
  const scans = await ClassScanModel.find({ assignment_id: assignmentId }, { _id: 1 }).lean()
  const ids = scans.map(({ _id }) => _id)
  await deleteClassScans(ids, services)
}

/** Including scans where one of the students would come back by undoing a change. */
export async function findClassScansWith(
  studentIds: readonly number[],
): Promise<Pick<ClassScanDoc, '_id' | 'files'>[]> {
  const named = { 'proposal.papers.student_id': { $in: [...studentIds] } }
  const before: number[] = await ClassScanStepModel.distinct('scan_id', named)
  return ClassScanModel.find({ $or: [named, { _id: { $in: before } }] }, { files: 1 }).lean()
}
