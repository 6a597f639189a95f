import type { QuestionToGrade } from '@assay/shared/questions.ts'
import type { Criterion } from '@assay/shared/rubrics.ts'
import type { Shortcut } from '../../../components/feedback/ShortcutsModal.tsx'
import { ADD_ITEM_KEY, ITEM_KEYS } from '../../grades/item-words.ts'
import { MARK_FIRST_KEY } from './MarkFirstNotice.tsx'
import { type PointsDraft, stepDraft, toggleDraft, typeIntoDraft } from './points-draft.ts'
import type { GroupView } from './useGroupView.ts'

interface Options {
  criteria: QuestionToGrade['question']['criteria']
  draft: PointsDraft
  setDraft: (draft: PointsDraft) => void
  activeCriterion: number
  activateCriterion: (index: number) => void
}

type Keys = Record<string, (() => void) | undefined>

const typed = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.', ',', 'Backspace']

/** Digits are typed into the field of an only criterion, and toggle one of several. */
export function pointsKeys({ criteria, draft, setDraft, activeCriterion, activateCriterion }: Options): Keys {
  const [only, second] = criteria
  const type = (key: string) => {
    const next = only && typeIntoDraft(draft, only, key)
    if (next) setDraft(next)
  }
  const toggle = (criterion: Criterion, index: number) => {
    activateCriterion(index)
    setDraft(toggleDraft(draft, criterion))
  }
  const step = (up: boolean) => () => {
    const criterion = criteria[activeCriterion]
    if (criterion) setDraft(stepDraft(draft, criterion, up))
  }
  const digits = second
    ? criteria.slice(0, 9).map((criterion, index) => [index + 1, () => toggle(criterion, index)] as const)
    : typed.map((key) => [key, () => type(key)] as const)
  return { ...Object.fromEntries(digits), ArrowRight: step(true), ArrowLeft: step(false) }
}

const move = (go: (by: 1 | -1) => void, by: 1 | -1) => () => go(by)

export const groupKeys = (view: GroupView): Keys => ({
  U: view.chooseUp ?? undefined,
  D: view.chooseDown ?? undefined,
  j: move(view.step, 1),
  k: move(view.step, -1),
  J: move(view.extend, 1),
  K: move(view.extend, -1),
  ArrowDown: move(view.stepAnswer, 1),
  ArrowUp: move(view.stepAnswer, -1),
  ' ': () => view.tick(view.active),
})

const moving: Shortcut[] = [
  [['j'], 'Next group'],
  [['k'], 'Previous group'],
  [['n'], 'Next undecided group, then the next question'],
  [['Shift', 'j'], 'Select the next group too'],
  [['Shift', 'k'], 'Select the previous group too'],
  [['Shift', 'u'], 'Select all groups from here up'],
  [['Shift', 'd'], 'Select all groups from here down'],
  [['↑', '↓'], 'Previous or next answer in the group'],
]
const deciding: Shortcut[] = [
  [['Enter'], 'Give the points to the whole group'],
  [['+'], 'Give full points (also =)'],
  [['-'], 'Give no points'],
  [['a'], 'Give the suggested points'],
  [['Shift', 'a'], 'Accept every suggestion the grader is confident in'],
  [[MARK_FIRST_KEY], 'Mark the answers that teach the grader most'],
  [['Shift', 'w'], 'Withdraw the points'],
  [['z'], 'Undo (also Ctrl or ⌘ with Z)'],
]
const itemShortcuts: Shortcut[] = [
  [[ITEM_KEYS[0] ?? '', ITEM_KEYS[1] ?? '', ITEM_KEYS[2] ?? '', '…'], 'Give a rubric item, or take it away'],
  [[ADD_ITEM_KEY], 'Add a rubric item, new or from the comment bank'],
]
const grouping: Shortcut[] = [
  [['x'], 'Take this answer out of its group'],
  [['Space'], 'Select this answer'],
  [['s'], 'Make the selected answers a group of their own'],
  [['m'], 'Merge the selected groups'],
  [['p'], 'Show the whole page'],
  [['Shift', 'v'], 'Tick the answer on its page, or erase the tick'],
  [['Shift', 'x'], 'Put a cross beside it, or erase that'],
  [['Esc'], 'Clear the points, then the selection'],
  [['?'], 'Show keyboard shortcuts'],
]

export const shortcutsFor = (criteria: number): Shortcut[] => [
  ...(criteria === 1
    ? ([[['0', '…', '9'], 'Type the points, with a point or comma for parts']] satisfies Shortcut[])
    : ([
        [['1', '…', '9'], 'Give a criterion full points or none'],
        [['←', '→'], 'Fewer or more points for that criterion'],
      ] satisfies Shortcut[])),
  ...deciding,
  ...itemShortcuts,
  ...moving,
  ...grouping,
]
