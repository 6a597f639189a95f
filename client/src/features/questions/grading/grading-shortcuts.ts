import type { Shortcut } from '../../../components/feedback/ShortcutsModal.tsx'
import { ADD_ITEM_KEY, ITEM_KEYS } from './items/item-words.ts'
import { MARK_FIRST_KEY } from './MarkFirstNotice.tsx'

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
  [['a'], 'Accept the suggestions'],
  [['Shift', 'a'], 'Accept all suggestions for this question that the grader is sure of'],
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
