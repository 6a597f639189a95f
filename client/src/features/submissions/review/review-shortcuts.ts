import type { Shortcut } from '../../../components/feedback/ShortcutsModal.tsx'

export const reviewShortcuts: Shortcut[] = [
  [['j'], 'Next student'],
  [['k'], 'Previous student'],
  [['e'], 'Edit the grade'],
  [['h'], 'Go to the next answer to grade by hand'],
  [['1', '…', '9'], 'Select a criterion and show it on the paper'],
  [['z'], 'Undo the last points or words you typed'],
  [['r'], 'Next regrade request'],
  [['t'], 'Switch between transcription and grade'],
  [['?'], 'Show keyboard shortcuts'],
  [['Ctrl or ⌘', 'Enter'], 'Save or approve, then open the next paper'],
  [['Esc'], 'Stop editing'],
]
