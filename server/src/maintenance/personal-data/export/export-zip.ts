import { readFile } from 'node:fs/promises'
import type { ExportedData } from '@assay/shared/exported-data.ts'
import { drawGradedPaper, loadReleasedGrade } from '../../../features/graded-papers/graded-paper.service.ts'
import { createUniqueNames } from '../../../features/graded-papers/paper-file-name.ts'
import { zipStream } from '../../../lib/storage/zip-stream.ts'
import { AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { EnrollmentModel } from '../../../records/courses/course.model.ts'
import type { UserDoc } from '../../../records/people/user.model.ts'
import type { Services } from '../../../services.ts'
import { accountIdsOf } from '../erasure/erasure-preview.ts'
import { inventory, modelNamed } from '../personal-data-inventory.ts'
import { exportPapers } from './export-papers.ts'
import { exportAccount, MOST_ENTRIES } from './export-records.ts'
import { type ExportScope, type FileSource, ownsAddress, type Sections } from './export-scope.ts'

/** Everything stored about a person as a ZIP file: data.json first, then one paper or photo after another, of any size together. */
export async function exportPerson(
  user: UserDoc,
  scope: ExportedData['scope'],
  services: Services,
  signal: AbortSignal,
): Promise<AsyncGenerator<Uint8Array>> {
  const uniqueName = createUniqueNames()
  const files = new Map<string, FileSource>()
  const export_: ExportScope = {
    scope,
    user,
    ids: await accountIdsOf(user),
    submissionIds: [],
    services,
    addFile(folder, name, source, ending) {
      const path = `${folder}/${uniqueName(name, ending)}`
      files.set(path, source)
      return path
    },
  }
  const data = await collectData(export_)
  return zipStream(zipContent(data, files, export_, signal), services.clock.now())
}

/** Papers first: activity is looked for by their numbers. */
async function collectData(export_: ExportScope): Promise<ExportedData> {
  const { scope, user, services } = export_
  const data: ExportedData = {
    format: 'assay-personal-data/1',
    exported_at: services.clock.now().toISOString(),
    scope,
    account: exportAccount(user),
    joined_accounts: [],
    sessions: [],
    courses: [],
    extensions: [],
    papers: await exportPapers(export_),
    photo_drafts: [],
    lms: { identities: [], memberships: [], launches: [], scores: [] },
    ...(scope === 'school' ? { roster_rows: [] } : {}),
    activity: [],
    left_out: [],
  }
  const sections: Sections = { ...data, ...data.lms, roster_rows: data.roster_rows ?? [] }
  for (const [modelName, entry] of Object.entries(inventory))
    if (entry.export?.to === 'own' || scope === 'school')
      await entry.export?.addTo?.(sections, export_, modelNamed(modelName))
  data.left_out.push(...(await whatIsLeftOut(export_, data.activity.length)))
  return data
}

async function whatIsLeftOut(export_: ExportScope, entries: number): Promise<ExportedData['left_out']> {
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
    ...(await titlesLeftOut(export_)).map((title) => ({
      what: `Papers of “${title}”`,
      why: 'Names are hidden while it is graded. Show names first, or let the student download their own data.',
    })),
    ...(entries === MOST_ENTRIES
      ? [{ what: 'Older activity', why: `Only the newest ${MOST_ENTRIES.toLocaleString('en')} entries are here.` }]
      : []),
  ]
}

/** Assignments with hidden names in which a paper of theirs may be: whether there is one is not said. */
async function titlesLeftOut({ scope, ids }: ExportScope): Promise<string[]> {
  if (scope === 'own') return []
  const courses: number[] = await EnrollmentModel.distinct('course_id', { user_id: { $in: ids } })
  const hiding = { course_id: { $in: courses }, 'anonymous.names_hidden': true }
  const found = await AssignmentModel.find(hiding, { title: 1 }).sort({ _id: 1 }).lean()
  return found.map(({ title }) => title)
}

async function* zipContent(
  data: ExportedData,
  files: Map<string, FileSource>,
  export_: ExportScope,
  signal: AbortSignal,
) {
  yield { name: 'data.json', bytes: Buffer.from(`${JSON.stringify(data, null, 2)}\n`) }
  for (const [name, source] of files) {
    signal.throwIfAborted()
    const bytes = await readSource(source, export_, signal)
    if (bytes) yield { name, bytes }
  }
}

/** Null where it was deleted since the list was made. */
async function readSource(
  source: FileSource,
  { user, services }: ExportScope,
  signal: AbortSignal,
): Promise<Buffer | null> {
  if ('hash' in source) {
    if ((await services.files.size(source.hash)) === null) return null
    return readFile(await services.files.localPath(source.hash))
  }
  const { submission, release } = source
  const assignment = await AssignmentModel.findById(submission.assignment_id).lean()
  if (!assignment) return null
  const student = { id: user._id, role: user.role, sessionId: 'export' }
  const grade = await loadReleasedGrade(assignment, submission, release, student)
  return drawGradedPaper(grade, submission.file.hash, services, { signal })
}
