import { setTimeout as sleep } from 'node:timers/promises'
import { createCourse } from '@assay/shared/courses.ts'
import { processAssignment } from '@assay/shared/runs.ts'
import { seededRandom } from '../../server/src/lib/seeded-random.ts'
import type { Api, Person } from '../../server/src/testing/api.ts'
import {
  buildAssignment,
  buildPerson,
  drawPaper,
  type UploadFile,
  waitForRun,
} from '../../server/src/testing/build-course.ts'
import { chooseFakeLlm } from './class-for-slow-llm.ts'
import { withProcesses } from './product-processes.ts'
import { type Batch, predictEnds } from './queue-model.ts'

const SEED = 16
const DAYS = 7
/** Five working days have two exams at the same hour each; a day is this long. */
const DAY_SECONDS = 40
const CLASSES_AT_ONCE = 3
const LARGEST_CLASS = 60
const LLM_MS = 1000
/** So few that the LLM is what papers wait for, and two cores can keep up. */
const LLM_AT_ONCE = 6
/** Of the papers that tell how quickly this machine grades. */
const CALIBRATED_BY = 60

export interface ExamWeek {
  classes: number
  papers: number
  /** Papers a second, measured by one class beforehand. */
  perSecond: number
  /** Seconds that a paper alone takes. */
  delay: number
  /** Seconds from handing in to the last grade, of each class. */
  measured: number[]
  predicted: number[]
}

/**
 * A week of exams, each hour some seconds long, through the product with one web and one worker: how long each class waits, beside what the
 * queue model says from the speed of one class alone.
 * @param folder for the processes' files
 */
export async function simulateExamWeek(folder: string): Promise<ExamWeek> {
  const options = { workers: 1, answersInMs: LLM_MS, environment: { GRADING_CONCURRENCY: '4' } }
  return await withProcesses(folder, options, async ({ api, llmUrl }) => {
    const instructor = await buildPerson('instructor')
    await chooseFakeLlm(api, await buildPerson('admin'), llmUrl, LLM_AT_ONCE)
    const alone = await gradeClass(api, instructor, await uploadClass(api, instructor, await drawClass(0, 1)))
    const calibrated = await uploadClass(api, instructor, await drawClass(1, CALIBRATED_BY))
    const perSecond = (CALIBRATED_BY - 1) / ((await gradeClass(api, instructor, calibrated)) - alone)

    const batches = examBatches()
    const uploaded: number[] = []
    for (const [i, { papers }] of batches.entries())
      uploaded.push(await uploadClass(api, instructor, await drawClass(2 + i, papers)))
    const began = performance.now()
    const measured = await Promise.all(
      batches.map(async ({ at }, i) => {
        await sleep(Math.max(0, 1000 * at - (performance.now() - began)))
        return await gradeClass(api, instructor, uploaded[i] ?? 0)
      }),
    )
    const predicted = predictEnds(batches, perSecond, alone).map((end, i) => end - (batches[i]?.at ?? 0))
    const papers = batches.reduce((sum, batch) => sum + batch.papers, 0)
    return { classes: batches.length, papers, perSecond, delay: alone, measured, predicted }
  })
}

/** At noon and in the afternoon of each working day several classes hand in, of sizes that differ much. */
function examBatches(): Batch[] {
  const random = seededRandom(SEED)
  const batches: Batch[] = []
  for (let day = 0; day < DAYS - 2; day++)
    for (const hour of [0.45, 0.7])
      for (let n = 0; n < CLASSES_AT_ONCE; n++) {
        const papers = 2 + Math.floor(random() ** 2 * LARGEST_CLASS)
        batches.push({ at: (day + hour) * DAY_SECONDS + random() * 2, papers })
      }
  return batches.sort((a, b) => a.at - b.at)
}

/** Each paper with words of its own, as no answer is sent to the LLM twice. */
async function drawClass(number: number, papers: number): Promise<UploadFile[]> {
  return await Promise.all(
    Array.from({ length: papers }, async (_, i) => ({
      name: `class-${number}-paper-${i}.pdf`,
      bytes: await drawPaper({ full_name: `Student ${i}` }, [
        `Ice is less dense than water, as I saw ${number} times with ${i} glasses of it.`,
        'B',
        String(100 + i),
      ]),
    })),
  )
}

/** In a course of its own: courses share what there is. */
async function uploadClass(api: Api, instructor: Person, papers: UploadFile[]): Promise<number> {
  const course = await api.as(instructor).send(createCourse, { body: { name: `Exam with ${papers.length} papers` } })
  if (course.status !== 201) throw new Error(`no course: ${course.text}`)
  return (await buildAssignment(api, { instructor, courseId: course.body.id }, papers)).assignmentId
}

/** Seconds until its last grade. */
async function gradeClass(api: Api, instructor: Person, assignmentId: number): Promise<number> {
  const began = performance.now()
  const run = await api.as(instructor).send(processAssignment, { params: { assignmentId }, body: {} })
  if (run.status !== 202) throw new Error(`could not start the run: ${run.text}`)
  const { graded, failed } = await waitForRun(api, instructor, assignmentId, run.body.run_id)
  if (failed > 0 || graded === 0) throw new Error(`${graded} graded, ${failed} failed`)
  return (performance.now() - began) / 1000
}
