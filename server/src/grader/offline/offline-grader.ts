import { hashOf } from '../../lib/security/hash-of.ts'
import { answerState } from '../extraction/answer-state.ts'
import type { Anchor, Answer, ClassAnswers, ExtractedSubmission, Grader } from '../grader.ts'
import type { ClassTexts } from './class-judge.ts'
import { OfflineWorkerClient } from './offline-worker-client.ts'
import { mayBeConfirmed } from './reading-trust.ts'

/** Raised whenever the same paper could get another grade. */
const VERSION = '7'

/** Grades without key, network or weights: the same papers always get the same grades. */
export function createOfflineGrader(): Grader {
  const thread = new OfflineWorkerClient()
  // Many papers are graded at once: the class they share is sent by the first and awaited by the others.
  const sending = new Map<string, Promise<null>>()
  function sendClassOnce(everyone: ClassAnswers): Promise<null> {
    const underway = sending.get(everyone.key)
    if (underway) return underway
    const sent = thread
      .run({ kind: 'class', key: everyone.key, texts: textsOf(everyone) })
      .finally(() => sending.delete(everyone.key))
    sending.set(everyone.key, sent)
    return sent
  }
  return {
    name: 'offline',
    version: VERSION,
    generateRubric: (blank, key) => thread.run({ kind: 'rubric', blank, key }),
    extractAnswers: (rubric, blank, submission) => thread.run({ kind: 'extract', rubric, blank, submission }),
    async grade(rubric, id, everyone, { signal, anchors = [] } = {}) {
      const extracted = everyone.submissions.find((submission) => submission.id === id)?.extracted
      if (!extracted) throw new RangeError(`Submission ${id} is not among the class.`)
      const anchorsKey = keyOf(anchors)
      const task = { kind: 'grade' as const, rubric, key: everyone.key, anchorsKey, id, extracted }
      for (;;) {
        const ready = await thread.run(task, signal)
        if (ready) return ready
        // In one go: between a class and the paper it was sent for there are no other classes that could push it out. Only who counts
        // on a class that another paper has sent may find it gone, and sends it then.
        const [, , grade] = await Promise.all([
          sendClassOnce(everyone),
          anchorsKey === '' ? null : thread.run({ kind: 'anchors', key: anchorsKey, anchors }),
          thread.run(task, signal),
        ])
        if (grade) return grade
      }
    },
    close: () => thread.close(),
  }
}

/** The same decisions in any order have the same key; none have an empty one. */
function keyOf(anchors: Anchor[]): string {
  if (anchors.length === 0) return ''
  const sorted = anchors
    .map((one) => `${one.submission_id} ${one.criterion_id} ${one.score} ${one.approved ?? ''}`)
    .sort()
  return hashOf(sorted.join('\n'), 'base64')
}

/** Only words travel: the boxes of a hundred papers would hold up the server while they are copied. */
function textsOf(everyone: ClassAnswers): ClassTexts {
  return {
    submissions: everyone.submissions.map(({ id, extracted }) => ({
      id,
      texts: textsWhere(extracted, (answer) => answerState(answer) === 'read'),
      doubtful: textsWhere(extracted, (answer) => mayBeConfirmed(answer, extracted)),
    })),
  }
}

const textsWhere = ({ answers }: ExtractedSubmission, counts: (answer: Answer) => boolean): Record<string, string> =>
  Object.fromEntries(answers.filter(counts).map(({ question_id, text }) => [question_id, text]))
