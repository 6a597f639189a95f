import { hashOf } from '../../lib/security/hash-of.ts'
import { answerState } from '../extraction/answer-state.ts'
import type { Anchor, Answer, ClassAnswers, ExtractedSubmission, Grader } from '../grader.ts'
import type { ClassTexts } from './class-judge.ts'
import { OfflineWorkerClient } from './offline-worker-client.ts'
import { mayBeConfirmed } from './reading-trust.ts'

/** Raised whenever the same paper could get another grade. */
const VERSION = '8'

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
  /** Asks, and where the thread does not have the class or the decisions, sends them and asks again. */
  async function withClass<T>(
    everyone: ClassAnswers,
    { key, anchors }: { key: string; anchors: Anchor[] },
    ask: () => Promise<T | null>,
  ): Promise<T> {
    for (;;) {
      const ready = await ask()
      if (ready) return ready
      // In one go: between a class and the paper it was sent for there are no other classes that could push it out. Only who counts
      // on a class that another paper has sent may find it gone, and sends it then.
      const [, , reply] = await Promise.all([
        sendClassOnce(everyone),
        key === '' ? null : thread.run({ kind: 'anchors', key, anchors }),
        ask(),
      ])
      if (reply) return reply
    }
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
      return withClass(everyone, { key: anchorsKey, anchors }, () => thread.run(task, signal))
    },
    scoreQuestion(rubric, questionId, papers, everyone, { signal, anchors = [] } = {}) {
      const anchorsKey = keyOf(anchors)
      const slim = papers.map(({ id, extracted }) => ({ id, extracted: onlyQuestion(extracted, questionId) }))
      const task = { kind: 'scores' as const, rubric, key: everyone.key, anchorsKey, questionId, papers: slim }
      return withClass(everyone, { key: anchorsKey, anchors }, () => thread.run(task, signal))
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

/** What a score depends on: the answer, and of the others whether they were read, and from what. Without places on the page. */
function onlyQuestion({ answers, page_order }: ExtractedSubmission, questionId: string): ExtractedSubmission {
  return {
    answers: answers.map((answer) => ({
      ...answer,
      text: answer.question_id === questionId || answer.text.trim() === '' ? answer.text : '…',
      evidence: [],
    })),
    warnings: [],
    name_on_paper: null,
    ...(page_order ? { page_order } : {}),
  }
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
