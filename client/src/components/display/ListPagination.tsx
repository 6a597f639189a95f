import { plural } from '../../lib/format.ts'
import classes from './ListPagination.module.css'
import { PageNumbers } from './PageNumbers.tsx'

interface Props {
  page: number
  setPage: (page: number) => void
  perPage: number
  total: number | null
  itemName: string
  itemNamePlural?: string
}

export function ListPagination({ page, setPage, perPage, total, itemName, itemNamePlural }: Props) {
  if (total === null) return null
  const pages = Math.ceil(total / perPage)
  const first = (page - 1) * perPage + 1
  return (
    <div className={classes.root}>
      <span className="numbers" role="status">
        {pages > 1 && `${first}–${Math.min(page * perPage, total)} of `}
        {plural(total, itemName, itemNamePlural)}
      </span>
      {pages > 1 && <PageNumbers page={page} pages={pages} setPage={setPage} />}
    </div>
  )
}
