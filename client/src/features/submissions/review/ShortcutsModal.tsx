import { Checkbox, Modal } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import confirm from '../../../components/feedback/ConfirmModal.module.css'
import { areSingleKeysOn, singleKeysStore } from '../../../lib/hooks/useKeyboardShortcuts.ts'
import classes from './ShortcutsModal.module.css'

const singleKeyShortcuts: [keys: string[], does: string][] = [
  [['j'], 'Next student'],
  [['k'], 'Previous student'],
  [['e'], 'Edit the grade'],
  [['h'], 'Go to the next answer to grade by hand'],
  [['1', '…', '9'], 'Select a criterion and show it on the paper'],
  [['t'], 'Switch between transcription and grade'],
  [['?'], 'Show keyboard shortcuts'],
]
const modifierShortcuts: [keys: string[], does: string][] = [
  [['Ctrl or ⌘', 'Enter'], 'Save or approve, then open the next paper'],
  [['Esc'], 'Stop editing'],
]

export function ShortcutsModal({ opened, close }: { opened: boolean; close: () => void }) {
  const on = useSyncExternalStore(singleKeysStore.subscribe, areSingleKeysOn)
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={<span className={confirm.title}>Keyboard shortcuts</span>}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <dl className={classes.list}>
        {[...singleKeyShortcuts, ...modifierShortcuts].map(([keys, does]) => (
          <div key={does} data-off={(!on && keys.every((key) => key.length === 1)) || undefined}>
            <dt>{keys.map((key) => (key === '…' ? '…' : <kbd key={key}>{key}</kbd>))}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Checkbox
        label="Single-key shortcuts"
        description="Turn these off if speech input or accidental presses trigger them. They are always off while you type."
        checked={on}
        onChange={(event) => singleKeysStore.set(event.currentTarget.checked ? null : 'off')}
      />
    </Modal>
  )
}
