import type { ItemWords } from '@assay/shared/item-words.ts'
import type { QuestionAnswer } from '@assay/shared/questions.ts'
import { IconMessage, IconPencil } from '@tabler/icons-react'
import { ToolButton } from '../../../../components/display/ToolButton.tsx'
import { MathText } from '../../../../components/math/MathText.tsx'
import { itemWorth, itemWorthInWords, signed } from '../../../grades/item-words.ts'
import classes from './ItemList.module.css'
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
        {items.map((item) => {
          const state = itemState(answers, item.id)
          return (
            <li key={item.id} className={classes.row}>
              <ItemToggle
                item={item}
                pressed={state === 'some' ? 'mixed' : state === 'all'}
                keyName={panel.keyOf(item)}
                toggle={() => panel.toggle(item)}
              />
              <ToolButton label={`Edit “${item.text}”`} tooltip="Edit" size={32} onClick={() => panel.edit(item)}>
                <IconPencil size={16} />
              </ToolButton>
            </li>
          )
        })}
      </ul>
      {adjustment !== null && (
        <p className="hint">{signed(adjustment)} typed by hand. It stays when an item’s points change.</p>
      )}
    </>
  )
}

interface ToggleProps {
  item: ItemWords
  pressed: boolean | 'mixed'
  keyName?: string | undefined
  disabled?: boolean
  toggle: () => void
}

export function ItemToggle({ item, pressed, keyName, disabled = false, toggle }: ToggleProps) {
  return (
    <button
      type="button"
      className={classes.item}
      aria-pressed={pressed}
      aria-keyshortcuts={keyName}
      aria-disabled={disabled || undefined}
      onClick={() => {
        if (!disabled) toggle()
      }}
    >
      {keyName && <kbd aria-hidden>{keyName}</kbd>}
      <span className={classes.worth} data-kind={item.kind}>
        {item.kind === 'comment' ? <IconMessage size={16} aria-hidden /> : <span aria-hidden>{itemWorth(item)}</span>}
        <span className="visually-hidden">{`${itemWorthInWords(item)}: `}</span>
      </span>
      <span className={classes.text}>
        <MathText>{item.text}</MathText>
      </span>
    </button>
  )
}
