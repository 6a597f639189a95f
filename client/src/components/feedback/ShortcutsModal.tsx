import { Checkbox, Modal } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { areSingleKeysOn, singleKeysStore } from '../../lib/hooks/useKeyboardShortcuts.ts'
import classes from './ShortcutsModal.module.css'

/** `…` stands for the keys between. */
export type Shortcut = [keys: string[], does: string]

interface Props {
  shortcuts: Shortcut[]
  opened: boolean
  close: () => void
}

export function ShortcutsModal({ shortcuts, opened, close }: Props) {
  const on = useSyncExternalStore(singleKeysStore.subscribe, areSingleKeysOn)
  return (
    <Modal opened={opened} onClose={close} size="60rem" title="Keyboard shortcuts">
      <dl className={classes.list}>
        {shortcuts.map(([keys, does]) => (
          <div key={does} data-off={(!on && keys.every(typesCharacter)) || undefined}>
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

const typesCharacter = (key: string) => /^(.|Space|Shift)$/.test(key) && !/[←→↑↓]/.test(key)
