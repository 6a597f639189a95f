import type { GroupView } from './useGroupView.ts'
import type { QuestionChanges } from './useQuestionChanges.ts'

export function useRegroup(view: GroupView, group: QuestionChanges['group']) {
  async function takeOut(ids: readonly number[]) {
    if (ids.length === 0 || ids.length === view.current.answers.length) return
    const rest = view.current.answers.filter(({ submission_id }) => !ids.includes(submission_id))
    view.openAnswers(rest.map(({ submission_id }) => submission_id))
    await group(ids)
  }

  async function merge() {
    if (view.chosen.length < 2) return
    const ids = view.chosen.flatMap(({ answers }) => answers.map(({ submission_id }) => submission_id))
    if (await group(ids)) view.openAnswers(ids)
  }
  return {
    takeOut: (id: number) => void takeOut([id]),
    split: () => void takeOut([...view.ticked]),
    merge: () => void merge(),
  }
}
