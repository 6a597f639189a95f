import type { ItemWords } from '@assay/shared/item-words.ts'
import { IconMessage } from '@tabler/icons-react'
import { MathText } from '../../../../components/math/MathText.tsx'
import { itemWorth, itemWorthInWords } from '../../../grades/item-words.ts'
import classes from './ItemList.module.css'

interface Props {
  item: ItemWords
  pressed: boolean | 'mixed'
  keyName?: string | undefined
  disabled?: boolean
  toggle: () => void
}

export function ItemToggle({ item, pressed, keyName, disabled = false, toggle }: Props) {
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
