import { z } from 'zod'
import { type BackgroundWork, defineJob } from '../../../lib/jobs/job.ts'
import { storeMadeFile } from '../../../lib/storage/file-store.ts'
import { PaperError } from '../../../papers/paper-error.ts'
import {
  type ClassScanDoc,
  ClassScanModel,
  ClassScanPageModel,
  ClassScanStepModel,
  type ProposedPaperDoc,
} from '../../../records/submissions/class-scan.model.ts'
import type { Services } from '../../../services.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import type { UploadedPaper } from '../../assignments/uploaded-paper.ts'
import { loadMatchingRoster, type RosterStudent } from '../../submissions/matching/name-index.ts'
import { notifyListChanged } from '../../submissions/submission.events.ts'
import { addSubmissions, deleteSubmissionRows } from '../../submissions/submission.service.ts'
import { submissionsByStudent } from '../../submissions/submission-owners.ts'
import { analyseScan, hasPapers } from './analyse-scan.ts'
import {
  changeState,
  deleteScanDetails,
  findClassScan,
  findPages,
  isStill,
  scanJobGroup,
  storeProgress,
} from './class-scan.service.ts'
import { UNMADE } from './edit-proposal.ts'

const payload = z.object({ scanId: z.number() })
const analysis = { name: 'analyse-class-scan', payload } as const
const confirmation = { name: 'confirm-class-scan', payload } as const

const newJob = (scanId: number) => [{ key: String(scanId), group: scanJobGroup(scanId), payload: { scanId } }]

export const queueAnalysis = (scanId: number, { jobs }: Pick<Services, 'jobs'>): Promise<void> =>
  jobs.trigger(analysis, newJob(scanId))

export const queueConfirmation = (scanId: number, { jobs }: Pick<Services, 'jobs'>): Promise<void> =>
  jobs.trigger(confirmation, newJob(scanId))

export const cancelScanJobs = (scanId: number, { jobs }: Pick<Services, 'jobs'>): Promise<void> =>
  jobs.cancel(scanJobGroup(scanId))

const messageFor = (error: unknown) =>
  error instanceof PaperError
    ? error.message
    : 'Something went wrong with this scan. Try again, or ask your administrator.'

async function endFailed(scanId: number, failure: string): Promise<void> {
  const scan = await findClassScan(scanId)
  if (scan) await changeState(scanId, ['analysing'], { state: hasPapers(scan) ? 'ready' : 'failed', failure })
}

export function classScanWork(services: Services): BackgroundWork {
  return {
    jobs: [
      defineJob({
        ...analysis,
        pool: 'cpu',
        attempts: 2,
        async run({ scanId }, signal) {
          const scan = await findClassScan(scanId)
          if (scan?.state !== 'analysing') return
          try {
            await analyseScan(scan, services, signal)
          } catch (error) {
            if (!(error instanceof PaperError) || error.code === 'cancelled') throw error
            // The same file will fail again.
            await endFailed(scanId, error.message)
          }
        },
        async onFailed({ scanId }, error) {
          await endFailed(scanId, messageFor(error))
        },
      }),
      defineJob({
        ...confirmation,
        pool: 'cpu',
        async run({ scanId }, signal) {
          const scan = await findClassScan(scanId)
          if (scan?.state === 'confirming') await makePapers(scan, services, signal)
        },
        async onFailed({ scanId }, error) {
          await returnUnmade(scanId, messageFor(error))
        },
      }),
    ],
    async resume() {
      // Stored by a process that ended before it queued the job.
      const open = await ClassScanModel.find(
        { state: { $in: ['analysing', 'confirming'] } },
        { state: 1, failure: 1 },
      ).lean()
      for (const { _id, state } of open)
        await (state === 'analysing' ? queueAnalysis(_id, services) : queueConfirmation(_id, services))
    },
  }
}

export async function makePapers(scan: ClassScanDoc, services: Services, signal: AbortSignal): Promise<void> {
  const { papers } = scan.proposal
  const places = new Map(
    (await findPages(scan._id, { page: 1, file: 1, number: 1 })).map((one) => [one.page, one] as const),
  )
  for (const [i, paper] of papers.entries()) {
    if (paper.submission_id !== undefined) continue
    signal.throwIfAborted()
    // Loaded each time: it may be deleted meanwhile, or its due date set.
    const assignment = await findAssignment(scan.assignment_id)
    if (!assignment) return
    if (!(await isStill(scan._id, 'confirming'))) return
    const file = paper.file ?? (await composeFile(scan, paper, i, places, services, signal).catch(unlessCancelled))
    if (!file) continue
    // Not for students who have left the course meanwhile.
    const roster = await loadMatchingRoster(assignment.course_id)
    const student = roster.find(({ _id }) => _id === paper.student_id)
    const taken = student ? await submissionsByStudent(assignment._id, [student._id]) : new Map()
    const now = services.clock.now()
    const made = {
      file: { field: 'files', name: fileNameOf(scan, i), path: '', ...file },
      handwritten: false,
      ...ownerOf(paper, student ?? null, taken.size > 0),
    }
    const uploader = { id: scan.confirmed_by ?? scan.created_by }
    const [added] = await addSubmissions(assignment, [made], uploader, services.files, now)
    if (!(await setPaper(scan._id, i, { submission_id: added?._id ?? 0 }))) {
      // An erasure deletes the scan before it looks for papers, and may not have seen this one.
      if (added?.created_at.getTime() === now.getTime()) await deleteSubmissionRows([added])
      return
    }
    await storeProgress(scan._id, { step: 'papers', done: i + 1, total: papers.length })
    notifyListChanged(scan.assignment_id, services)
  }
  if (await returnUnmade(scan._id)) return
  const proposal = { ...scan.proposal, papers: [], dropped: [] }
  await changeState(scan._id, ['confirming'], { state: 'confirmed', failure: null, proposal })
  await deleteScanDetails([scan._id])
}

function unlessCancelled(error: unknown): null {
  if (error instanceof PaperError && error.code !== 'cancelled') return null
  throw error
}

/** Only the papers not made stay, so that none is made twice. False where all were made. */
async function returnUnmade(scanId: number, reason?: string): Promise<boolean> {
  const scan = await findClassScan(scanId)
  if (scan?.state !== 'confirming') return false
  const unmade = scan.proposal.papers.filter(({ submission_id }) => submission_id === undefined)
  if (unmade.length === 0) return false
  const kept = [...unmade.flatMap(({ pages }) => pages), ...scan.proposal.dropped].map(({ page }) => page)
  // A change that had the other pages can no longer be undone.
  await ClassScanStepModel.deleteMany({ scan_id: scanId })
  await ClassScanPageModel.deleteMany({ scan_id: scanId, page: { $nin: [...kept] } })
  const one = unmade.length === 1
  const failure =
    reason ?? `${unmade.length} ${one ? 'paper' : 'papers'} could not be made. The others are among the submissions.`
  const papers = unmade.map((paper) => ({ ...paper, notes: [...new Set([...paper.notes, UNMADE])] }))
  await changeState(scanId, ['confirming'], {
    state: 'ready',
    failure,
    proposal: { ...scan.proposal, papers },
    revision: scan.revision + 1,
  })
  return true
}

/** A teacher's only where one chose the student or checked the paper. */
function ownerOf(
  { student_id, student_by, student_doubt, match_reason, checked }: ProposedPaperDoc,
  student: RosterStudent | null,
  hasPaper: boolean,
): Pick<UploadedPaper, 'student' | 'matched' | 'isNobodys'> {
  if (student_id === null && student_by === 'teacher') return { student: null, isNobodys: true }
  if (student && (student_by === 'teacher' || checked)) return { student }
  if (!student || student_doubt !== null || hasPaper) return { student: null }
  return { matched: { student, reason: student_by === 'code' ? 'page_code' : (match_reason ?? null) } }
}

/** By its place in the stack, where a paper without a student can be found. */
function fileNameOf({ files, proposal }: ClassScanDoc, index: number): string {
  const stem = (files[0]?.name ?? 'scan').replace(/\.pdf$/i, '').slice(0, 120)
  const digits = String(proposal.papers.length).length
  return `${stem} paper ${String(index + 1).padStart(digits, '0')}.pdf`
}

async function composeFile(
  scan: ClassScanDoc,
  paper: ProposedPaperDoc,
  index: number,
  places: ReadonlyMap<number, { file: number; number: number }>,
  services: Services,
  signal: AbortSignal,
): Promise<{ hash: string; size: number }> {
  const pages = []
  for (const { page, turn } of paper.pages) {
    const place = places.get(page)
    const source = scan.files[place?.file ?? -1]
    if (!place || !source) throw new Error(`page ${page} of class scan ${scan._id} lies in no file`)
    pages.push({ file: await services.files.localPath(source.hash), number: place.number, turn })
  }
  const file = await storeMadeFile(await services.papers.compose(pages, { signal }), services)
  // Stored before the submission: made again, the PDF has other bytes and would be another submission.
  await setPaper(scan._id, index, { file })
  return file
}

async function setPaper(scanId: number, index: number, set: Partial<ProposedPaperDoc>): Promise<boolean> {
  const fields = Object.entries(set).map(([name, value]) => [`proposal.papers.${index}.${name}`, value])
  const wanted = { _id: scanId, state: 'confirming' as const }
  const { matchedCount } = await ClassScanModel.updateOne(wanted, { $set: Object.fromEntries(fields) })
  return matchedCount > 0
}
