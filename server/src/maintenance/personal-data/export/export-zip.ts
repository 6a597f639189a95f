import { readFile } from 'node:fs/promises'
import type { ExportedData } from '@assay/shared/exported-data.ts'
import { drawGradedPaper, loadReleasedGrade } from '../../../features/graded-papers/graded-paper.service.ts'
import { zipStream } from '../../../lib/storage/zip-stream.ts'
import { AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import type { UserDoc } from '../../../records/people/user.model.ts'
import type { Services } from '../../../services.ts'
import { accountIdsOf } from '../erasure/erasure-preview.ts'
import {
  exportAccount,
  exportCourses,
  exportExtensions,
  exportJoinedAccounts,
  exportRosterRows,
  exportSessions,
} from './export-account.ts'
import { exportActivity, MOST_ENTRIES } from './export-activity.ts'
import { exportLmsRecords } from './export-lms.ts'
import { type ExportedPapers, exportPapers, type PaperFile } from './export-papers.ts'
import { type ExportScope, ownsAddress } from './export-scope.ts'

/** Everything stored about a person as a ZIP file: data.json first, then one paper or photo after another, of any size together. */
export async function exportPerson(
  user: UserDoc,
  scope: ExportedData['scope'],
  services: Services,
  signal: AbortSignal,
): Promise<AsyncGenerator<Uint8Array>> {
  const export_: ExportScope = { scope, user, ids: await accountIdsOf(user) }
  const papers = await exportPapers(export_, services)
  const data = await collectData(export_, papers, services)
  const at = services.clock.now()
  return zipStream(zipContent(data, papers, export_, services, signal), at)
}

async function collectData(export_: ExportScope, papers: ExportedPapers, { clock }: Services): Promise<ExportedData> {
  const { scope, user } = export_
  const [joined_accounts, sessions, courses, extensions, lms, activity] = await Promise.all([
    exportJoinedAccounts(export_),
    exportSessions(export_),
    exportCourses(export_),
    exportExtensions(export_),
    exportLmsRecords(export_),
    exportActivity(export_, papers.submissionIds),
  ])
  return {
    format: 'assay-personal-data/1',
    exported_at: clock.now().toISOString(),
    scope,
    account: exportAccount(user),
    joined_accounts,
    sessions,
    courses,
    extensions,
    papers: papers.papers,
    photo_drafts: papers.photo_drafts,
    lms,
    ...(scope === 'school' ? { roster_rows: await exportRosterRows(export_) } : {}),
    activity,
    left_out: whatIsLeftOut(export_, papers, activity.length),
  }
}

function whatIsLeftOut(export_: ExportScope, { leftOut }: ExportedPapers, entries: number): ExportedData['left_out'] {
  const { scope } = export_
  const forAddress = {
    what: 'What teachers keep for the owner of the email address',
    why: 'Nobody has confirmed yet that the address belongs to this account. Confirm it, and download again.',
  }
  const unreleased = {
    what: 'Assignments that are not published, and suggestions, feedback and grades that are not released',
    why: 'Your teachers have not released them. Ask your school for them.',
  }
  return [
    { what: 'The password', why: 'Only a hash of it is stored, from which nobody can tell it.' },
    { what: 'Comments an instructor wrote on others’ papers', why: 'They are part of those students’ data.' },
    { what: 'Backups', why: 'Whoever runs this server makes them. Ask there.' },
    ...(scope === 'own' ? [unreleased] : []),
    ...(ownsAddress(export_) ? [] : [forAddress]),
    ...leftOut.map(({ title }) => ({
      what: `Papers of “${title}”`,
      why: 'Names are hidden while it is graded. Show names first, or let the student download their own data.',
    })),
    ...(entries === MOST_ENTRIES
      ? [{ what: 'Older activity', why: `Only the newest ${MOST_ENTRIES.toLocaleString('en')} entries are here.` }]
      : []),
  ]
}

async function* zipContent(
  data: ExportedData,
  { files }: ExportedPapers,
  export_: ExportScope,
  services: Services,
  signal: AbortSignal,
) {
  yield { name: 'data.json', bytes: Buffer.from(`${JSON.stringify(data, null, 2)}\n`) }
  for (const file of files) {
    signal.throwIfAborted()
    const bytes = await readPaper(file, export_, services, signal)
    if (bytes) yield { name: file.path, bytes }
  }
}

/** Null where it was deleted since the list was made. */
async function readPaper(
  file: PaperFile,
  { user }: ExportScope,
  services: Services,
  signal: AbortSignal,
): Promise<Buffer | null> {
  if ('hash' in file) {
    if ((await services.files.size(file.hash)) === null) return null
    return readFile(await services.files.localPath(file.hash))
  }
  const { submission, release } = file
  const assignment = await AssignmentModel.findById(submission.assignment_id).lean()
  if (!assignment) return null
  const student = { id: user._id, role: user.role, sessionId: 'export' }
  const source = await loadReleasedGrade(assignment, submission, release, student)
  return drawGradedPaper(source, submission.file.hash, services, { signal })
}
