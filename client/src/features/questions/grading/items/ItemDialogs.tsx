import { type ComponentProps, useRef } from 'react'
import { ConfirmModal } from '../../../../components/feedback/ConfirmModal.tsx'
import { plural } from '../../../../lib/format.ts'
import { ItemModal } from './ItemModal.tsx'
import type { ItemPanel } from './useItemPanel.ts'

export function ItemDialogs(props: ComponentProps<typeof ItemModal> & { panel: ItemPanel }) {
  const { toConfirm, confirm, closeConfirm } = props.panel
  return (
    <>
      <ApplyToManyModal toConfirm={toConfirm} confirm={confirm} closeConfirm={closeConfirm} />
      <ItemModal {...props} />
    </>
  )
}

function ApplyToManyModal({
  toConfirm,
  confirm,
  closeConfirm,
}: Pick<ItemPanel, 'toConfirm' | 'confirm' | 'closeConfirm'>) {
  // The words stay while it fades.
  const last = useRef(toConfirm)
  if (toConfirm) last.current = toConfirm
  if (!last.current) return null
  const { item, applied, answers } = last.current
  const count = plural(answers.length, 'answer')
  return (
    <ConfirmModal
      opened={toConfirm !== null}
      close={closeConfirm}
      title={applied ? `Give this item to ${count}?` : `Take this item away from ${count}?`}
      confirmLabel={applied ? 'Give item' : 'Take away'}
      onConfirm={async () => {
        if (last.current) confirm(last.current)
      }}
    >
      <p>“{item.text}”</p>
      <p>You can undo this as one step.</p>
    </ConfirmModal>
  )
}
