import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createAssignment } from '@assay/shared/assignments.ts'
import type { RunningServer } from '../../server/src/start.ts'
import type { Api, Person } from '../../server/src/testing/api.ts'
import { gradeAssignment } from '../../server/src/testing/build-course.ts'
import { drawBlank, drawKey, drawStudentPaper } from '../papers/draw-papers.ts'
import { answersOf, longQuiz } from './long-quiz.ts'
import { watchMemory } from './process-tree.ts'

interface GradingCost {
  papers: number
  pagesEach: number
  /** Reading and grading together. */
  secondsInAll: number
  papersPerSecond: number
  /** Grading only, from the last paper read to the last grade stored. */
  gradedPerSecond: number
  peakMegabytes: number
  /** Event-loop delay of the server process, in ms. */
  delayP99: number
  delayMax: number
}

async function drawClass(papers: number) {
  const files = []
  for (let i = 0; i < papers; i++) {
    const student = {
      username: `s${i}`,
      full_name: `Student ${i}`,
      email: '',
      student_number: String(1000 + i),
    }
    files.push({ name: `s${i}.pdf`, bytes: await drawStudentPaper(longQuiz, student, answersOf(i), 'typed') })
  }
  return files
}

/** A class graded offline through the product. */
export async function measureGrading(
  running: RunningServer,
  api: Api,
  instructor: Person,
  papers = 100,
): Promise<GradingCost & { assignmentId: number }> {
  const files = await drawClass(papers)
  const created = await api.as(instructor).send(createAssignment, {
    body: { name: longQuiz.title },
    files: {
      blank_pdf: [{ name: 'blank.pdf', bytes: await drawBlank(longQuiz) }],
      answer_key_pdf: [{ name: 'key.pdf', bytes: await drawKey(longQuiz) }],
      student_submission_pdfs: files,
    },
  })
  const assignmentId = created.body.id
  let gradingSince = 0
  running.services.events.onLocal('run_changed', ({ payload }) => {
    if (payload.status === 'grading' && gradingSince === 0) gradingSince = performance.now()
  })
  const delay = monitorEventLoopDelay({ resolution: 5 })
  const peak = watchMemory()
  delay.enable()
  const began = performance.now()
  const run = await gradeAssignment(api, instructor, assignmentId)
  const ended = performance.now()
  delay.disable()
  if (run.graded !== papers) throw new Error(`${run.graded} of ${papers} graded`)
  return {
    assignmentId,
    papers,
    pagesEach: 5,
    secondsInAll: (ended - began) / 1000,
    papersPerSecond: papers / ((ended - began) / 1000),
    gradedPerSecond: papers / ((ended - gradingSince) / 1000),
    peakMegabytes: peak(),
    // The monitor's own interval of 5 ms is included.
    delayP99: delay.percentile(99) / 1e6 - 5,
    delayMax: delay.max / 1e6 - 5,
  }
}
