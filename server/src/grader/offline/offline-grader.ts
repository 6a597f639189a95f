import { hashOf } from '../../lib/security/hash-of.ts'
import { answerState } from '../extraction/answer-state.ts'
import type { Anchor, Answer, ClassAnswers, ExtractedSubmission, Grader } from '../grader.ts'
import type { ClassTexts } from './class-judge.ts'
import { OfflineWorkerClient } from './offline-worker-client.ts'
import { mayBeConfirmed } from './reading-trust.ts'

/** Raise it whenever the same paper could get another grade. */
const VERSION = '9'

/** Deterministic, without key, network or weights. */
export function createOfflineGrader(): Grader {
  const thread = new OfflineWorkerClient()
  // Papers share a class, which the first sends and the others await.
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
  /** Sends the class or decisions and retries where the thread lacks them. */
  async function withClass<T>(
    everyone: ClassAnswers,
    { key, anchors }: { key: string; anchors: Anchor[] },
    ask: () => Promise<T | null>,
  ): Promise<T> {
    for (;;) {
      const ready = await ask()
      if (ready) return ready
      // Posted together, so that no other class evicts it; a paper relying on another's sends it again if it is gone.
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

/** Order-independent; empty without decisions. */
function keyOf(anchors: Anchor[]): string {
  if (anchors.length === 0) return ''
  const sorted = anchors
    .map((one) => `${one.submission_id} ${one.criterion_id} ${one.score} ${one.approved ?? ''}`)
    .sort()
  return hashOf(sorted.join('\n'), 'base64')
}

/** The answer, and whether and how the others were read. Without places on the page. */
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

/** Only words: copying a hundred papers' boxes would hold up the server. */
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
