import type { QuestionToGrade } from '@assay/shared/questions.ts'
import type { Shortcut } from '../../../components/feedback/ShortcutsModal.tsx'
import { useKeyboardShortcuts } from '../../../lib/hooks/useKeyboardShortcuts.ts'
import { ADD_ITEM_KEY, ITEM_KEYS } from '../../grades/item-words.ts'
import { MARK_FIRST_KEY } from './MarkFirstNotice.tsx'
import { type PointsDraft, stepDraft, toggleDraft, typeIntoDraft } from './points-draft.ts'
import type { GroupView } from './useGroupView.ts'

interface Options {
  criteria: QuestionToGrade['question']['criteria']
  view: GroupView
  draft: PointsDraft
  setDraft: (draft: PointsDraft) => void
  activeCriterion: number
  activateCriterion: (index: number) => void
  give: () => void
  giveAll: (full: boolean) => void
  accept: () => void
  acceptSure: () => void
  withdraw: (() => void) | null
  markFirst: () => void
  undo: () => void
  nextUndecided: () => void
  takeOut: () => void
  split: () => void
  merge: () => void
  showPage: () => void
  sign: (kind: 'tick' | 'cross') => void
  showKeys: () => void
  itemKeys: Record<string, () => void>
  addItem: () => void
  clear: () => void
}

const typed = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.', ',', 'Backspace']

export function useGradingKeys(options: Options): void {
  const { criteria, view, draft, setDraft, activeCriterion, activateCriterion } = options
  const step = (up: boolean) => () => {
    const criterion = criteria[activeCriterion]
    if (criterion) setDraft(stepDraft(draft, criterion, up))
  }
  useKeyboardShortcuts({
    ...Object.fromEntries(criteria.length === 1 ? typingKeys(options) : togglingKeys()),
    ...options.itemKeys,
    [ADD_ITEM_KEY]: options.addItem,
    Enter: options.give,
    '+': () => options.giveAll(true),
    '=': () => options.giveAll(true),
    '-': () => options.giveAll(false),
    a: options.accept,
    A: options.acceptSure,
    W: options.withdraw ?? undefined,
    U: view.chooseUp ?? undefined,
    D: view.chooseDown ?? undefined,
    [MARK_FIRST_KEY]: options.markFirst,
    z: options.undo,
    'mod+z': options.undo,
    j: move(view.step, 1),
    k: move(view.step, -1),
    J: move(view.extend, 1),
    K: move(view.extend, -1),
    n: options.nextUndecided,
    ArrowDown: move(view.stepAnswer, 1),
    ArrowUp: move(view.stepAnswer, -1),
    ArrowRight: step(true),
    ArrowLeft: step(false),
    ' ': () => view.tick(view.active),
    x: options.takeOut,
    s: options.split,
    m: options.merge,
    p: options.showPage,
    V: put(options.sign, 'tick'),
    X: put(options.sign, 'cross'),
    '?': options.showKeys,
    Escape: options.clear,
  })

  function togglingKeys(): [string, () => void][] {
    return criteria.slice(0, 9).map((criterion, index) => [
      String(index + 1),
      () => {
        activateCriterion(index)
        setDraft(toggleDraft(draft, criterion))
      },
    ])
  }
}

const put = (sign: Options['sign'], kind: 'tick' | 'cross') => () => sign(kind)
const move = (go: (by: 1 | -1) => void, by: 1 | -1) => () => go(by)

function typingKeys({ criteria, draft, setDraft }: Options): [string, () => void][] {
  const [criterion] = criteria
  if (!criterion) return []
  return typed.map((key) => [
    key,
    () => {
      const next = typeIntoDraft(draft, criterion, key)
      if (next) setDraft(next)
    },
  ])
}

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
