import { Pagination } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { plural } from '../../lib/format.ts'
import classes from './ListPagination.module.css'

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

interface PageNumbersProps {
  /** From 1. */
  page: number
  pages: number
  setPage: (page: number) => void
}

export function PageNumbers({ page, pages, setPage }: PageNumbersProps) {
  const onPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  return (
    <Pagination
      total={pages}
      value={page}
      onChange={setPage}
      size="md"
      siblings={onPhone ? 0 : 1}
      getControlProps={(control) => ({ 'aria-label': `${control} page` })}
      getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
    />
  )
}
