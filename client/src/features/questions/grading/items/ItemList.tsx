import type { QuestionAnswer } from '@assay/shared/questions.ts'
import type { RubricItem } from '@assay/shared/rubric-items.ts'
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { signed } from '../../../grades/item-words.ts'
import classes from './ItemList.module.css'
import { ItemToggle } from './ItemToggle.tsx'
import { commonAdjustment, type ItemPanel, itemState } from './useItemPanel.ts'

interface Props {
  criterionId: string
  label: string
  panel: ItemPanel
  answers: readonly QuestionAnswer[]
}

export function ItemList({ criterionId, label, panel, answers }: Props) {
  const items = panel.items.filter(({ criterion_id }) => criterion_id === criterionId)
  if (items.length === 0) return null
  const adjustment = commonAdjustment(answers, criterionId)
  return (
    <>
      <ul className={classes.list} aria-label={label}>
        {items.map((item) => (
          <ItemRow
            key={item.id}
            item={item}
            keyName={panel.keyOf(item)}
            state={itemState(answers, item.id)}
            toggle={() => panel.toggle(item)}
            edit={() => panel.edit(item)}
          />
        ))}
      </ul>
      {adjustment !== null && (
        <p className="hint">{signed(adjustment)} typed by hand. It stays when an item’s points change.</p>
      )}
    </>
  )
}

interface RowProps {
  item: RubricItem
  keyName: string | undefined
  state: ReturnType<typeof itemState>
  toggle: () => void
  edit: () => void
}

function ItemRow({ item, keyName, state, toggle, edit }: RowProps) {
  return (
    <li className={classes.row}>
      <ItemToggle
        item={item}
        pressed={state === 'some' ? 'mixed' : state === 'all'}
        keyName={keyName}
        toggle={toggle}
      />
      <Tooltip label="Edit">
        <ActionIcon color="gray" size={32} aria-label={`Edit “${item.text}”`} onClick={edit}>
          <IconPencil size={16} />
        </ActionIcon>
      </Tooltip>
    </li>
  )
}
