import { createHash } from 'node:crypto'
import type { Anchor, ClassAnswers, Grader } from '../grader.ts'
import type { ClassTexts } from './class-judge.ts'
import { OfflineWorkerClient } from './offline-worker-client.ts'

/** Raised whenever the same paper could get another grade. */
const VERSION = '3'

/** Grades without key, network or weights: the same papers always get the same grades. */
export function createOfflineGrader(): Grader {
  const thread = new OfflineWorkerClient()
  // Many papers are graded at once: the class they share is sent by the first and awaited by the others.
  const sending = new Map<string, Promise<null>>()
  function sendClassOnce(everyone: ClassAnswers): Promise<null> {
    const underway = sending.get(everyone.key)
    if (underway) return underway
    const sent = thread
      .ask({ kind: 'class', key: everyone.key, texts: textsOf(everyone) })
      .finally(() => sending.delete(everyone.key))
    sending.set(everyone.key, sent)
    return sent
  }
  return {
    name: 'offline',
    version: VERSION,
    makeRubric: (blank, key) => thread.ask({ kind: 'rubric', blank, key }),
    layOut: (rubric, blank, submission) => thread.ask({ kind: 'lay', rubric, blank, submission }),
    async grade(rubric, id, everyone, { signal, anchors = [] } = {}) {
      const laid = everyone.submissions.find((submission) => submission.id === id)?.laid
      if (!laid) throw new RangeError(`Submission ${id} is not among the class.`)
      const anchorsKey = keyOf(anchors)
      const task = { kind: 'grade' as const, rubric, key: everyone.key, anchorsKey, id, laid }
      for (;;) {
        const ready = await thread.ask(task, signal)
        if (ready) return ready
        // In one go: between a class and the paper it was sent for there are no other classes that could push it out. Only who counts
        // on a class that another paper has sent may find it gone, and sends it then.
        const [, , grade] = await Promise.all([
          sendClassOnce(everyone),
          anchorsKey === '' ? null : thread.ask({ kind: 'anchors', key: anchorsKey, anchors }),
          thread.ask(task, signal),
        ])
        if (grade) return grade
      }
    },
    close: () => thread.close(),
  }
}

/** The same decisions, whoever collected them and in whatever order, have the same key; none have an empty one. */
function keyOf(anchors: Anchor[]): string {
  if (anchors.length === 0) return ''
  const sorted = anchors
    .map((one) => `${one.submission_id} ${one.criterion_id} ${one.score} ${one.approved ?? ''}`)
    .sort()
  return createHash('sha256').update(sorted.join('\n')).digest('base64')
}

/** Only words travel: the boxes of a hundred papers would hold up the server while they are copied. */
function textsOf(everyone: ClassAnswers): ClassTexts {
  return {
    submissions: everyone.submissions.map(({ id, laid }) => ({
      id,
      texts: Object.fromEntries(
        laid.answers.flatMap((a) => (a.found && a.text !== '' ? [[a.question_id, a.text]] : [])),
      ),
    })),
  }
}
