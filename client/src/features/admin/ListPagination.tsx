import { Pagination } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { plural } from '../../lib/format.ts'
import classes from './ListPagination.module.css'

interface Props {
  /** Counted from 1. */
  page: number
  setPage: (page: number) => void
  perPage: number
  total: number | null
  itemName: string
  itemNamePlural?: string
}

/** Which part of a long list this is, and the way to the others. */
export function ListPagination({ page, setPage, perPage, total, itemName, itemNamePlural }: Props) {
  const onPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  if (total === null) return null
  const pages = Math.ceil(total / perPage)
  const first = (page - 1) * perPage + 1
  return (
    <div className={classes.root}>
      <span className="numbers" role="status">
        {pages > 1 && `${first}–${Math.min(page * perPage, total)} of `}
        {plural(total, itemName, itemNamePlural)}
      </span>
      {pages > 1 && (
        <Pagination
          total={pages}
          value={page}
          onChange={setPage}
          size="md"
          siblings={onPhone ? 0 : 1}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
        />
      )}
    </div>
  )
}
