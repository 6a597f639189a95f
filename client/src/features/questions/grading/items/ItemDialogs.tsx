import type { ComponentProps } from 'react'
import { ApplyToManyModal } from './ApplyToManyModal.tsx'
import { ItemModal } from './ItemModal.tsx'
import type { ItemPanel } from './useItemPanel.ts'

/** What is asked about rubric items. */
export function ItemDialogs(props: ComponentProps<typeof ItemModal> & { panel: ItemPanel }) {
  const { toConfirm, confirm, closeConfirm } = props.panel
  return (
    <>
      <ApplyToManyModal toConfirm={toConfirm} confirm={confirm} closeConfirm={closeConfirm} />
      <ItemModal {...props} />
    </>
  )
}
