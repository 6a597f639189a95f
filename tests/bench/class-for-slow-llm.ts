import { changeSystemLlm } from '@assay/shared/llm/llm.ts'
import { Paper } from '@assay/shared/papers.ts'
import { ReadingModel } from '../../server/src/records/submissions/reading.model.ts'
import { SubmissionModel } from '../../server/src/records/submissions/submission.model.ts'
import { buildAssignment, drawPaper, gradeAssignment } from '../../server/src/testing/build-course.ts'
import { buildManySubmissions } from '../../server/src/testing/build-many-submissions.ts'
import { buildLlmSettings, systemLlmSettings } from '../../server/src/testing/llm-settings.ts'
import type { Api, Person } from '../../server/src/testing/server.ts'
import { type ScriptProcess, startScript } from '../journeys/support/script-process.ts'

export const startSlowLlm = (latencyMs: number): Promise<ScriptProcess> =>
  startScript(new URL('./slow-llm.ts', import.meta.url), [String(latencyMs)])

const MARK = '7777'

/** Counted as read already, each with different words. */
export async function buildReadPapers(api: Api, instructor: Person, count: number): Promise<number> {
  const bytes = await drawPaper({ full_name: 'Student' }, [
    `Ice is less dense than water because its molecules are held apart in a lattice, glass ${MARK}.`,
    'B',
    '144',
  ])
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor }, [{ name: 'first.pdf', bytes }])
  await gradeAssignment(api, instructor, assignmentId)
  const first = await SubmissionModel.findById(submissionIds[0]).lean()
  const read = await ReadingModel.findById(first?.file.hash).lean()
  if (!read) throw new Error('the first paper was not read')
  const words = JSON.stringify(read.paper)
  const ids = await buildManySubmissions(assignmentId, count, { graded: 0 })
  const rows = await SubmissionModel.find({ _id: { $in: ids } }, { file: 1 }).lean()
  for (let from = 0; from < rows.length; from += 200) {
    const readings = rows
      .slice(from, from + 200)
      .map(({ file }, i) => ({
        ...read,
        _id: file.hash,
        paper: Paper.parse(JSON.parse(words.replaceAll(MARK, String(10_000 + from + i)))),
      }))
    await ReadingModel.insertMany(readings, { lean: true })
  }
  return assignmentId
}

export async function chooseFakeLlm(api: Api, admin: Person, url: string, concurrency: number): Promise<void> {
  const server = { provider: 'openai-compatible' as const, model: 'fake-1', base_url: `${url}/v1`, pictures: false }
  const money = { price: { input: 1, output: 1 }, monthly_budget: 100_000 }
  const settings = buildLlmSettings({ ...server, ...money, at_once: concurrency })
  const chosen = await api.as(admin).send(changeSystemLlm, { body: { ...settings, ...systemLlmSettings } })
  if (chosen.status !== 200) throw new Error(`LLM settings refused: ${chosen.text}`)
}
