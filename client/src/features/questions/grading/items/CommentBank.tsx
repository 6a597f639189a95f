import { type BankItem, searchCommentBank } from '@assay/shared/rubric-items.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { IconMessage, IconPlus } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { useGet } from '../../../../lib/api/api-hooks.ts'
import { plural } from '../../../../lib/format.ts'
import classes from './ItemModal.module.css'
import { itemWorth, itemWorthInWords } from './item-words.ts'

interface Props {
  params: { assignmentId: number; questionId: string }
  search: string
  add: (item: BankItem) => void
}

/** Goes to the next item of the bank of the same form, or back; before the first there is none. */
export function focusBank(event: KeyboardEvent<HTMLElement>, by: 1 | -1): void {
  const buttons = [...(event.currentTarget.closest('form')?.querySelectorAll<HTMLElement>('[data-bank-item]') ?? [])]
  const next = buttons[buttons.indexOf(document.activeElement as HTMLElement) + by]
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** Items of the course's other questions and assignments; one press adds a copy. */
export function CommentBank({ params, search, add }: Props) {
  const [words] = useDebouncedValue(search.trim().slice(0, 200), 200)
  const found = useGet(searchCommentBank, params, { search: words }, { keepPreviousData: true })
  const all = useGet(searchCommentBank, params, { search: '' })
  const items = found.data ?? []
  // A course's first item has nothing to be searched.
  if (!all.error && !all.data?.length) return null
  return (
    <section className={classes.bank} aria-label="Comment bank">
      <h3>From this course’s other questions</h3>
      <p className={classes.count} role="status">
        {found.error
          ? 'The comment bank could not be loaded.'
          : items.length === 0
            ? 'No item with these words.'
            : words === ''
              ? 'The most used. Type words to search, ↓ to choose.'
              : `${plural(items.length, 'item')} with these words.`}
      </p>
      <ul>
        {items.map((item) => (
          <li key={item.id}>
            <button
              type="button"
              data-bank-item
              onClick={() => add(item)}
              onKeyDown={(event) => {
                if (event.key === 'ArrowDown') focusBank(event, 1)
                if (event.key === 'ArrowUp') focusBank(event, -1)
              }}
            >
              <IconPlus size={16} aria-hidden />
              <span className={classes.bankWorth}>
                {item.kind === 'comment' ? (
                  <IconMessage size={16} aria-hidden />
                ) : (
                  <span aria-hidden>{itemWorth(item)}</span>
                )}
                <span className="visually-hidden">{`Add: ${itemWorthInWords(item)}: `}</span>
              </span>
              <span className={classes.bankText}>
                {item.text}
                <small>
                  {item.assignment}, {item.question.slice(0, 60)}
                  {item.answers > 0 && ` · ${plural(item.answers, 'answer')}`}
                </small>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
