import { Pagination } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'

interface Props {
  /** Counted from 1. */
  page: number
  pages: number
  setPage: (page: number) => void
}

export function PageNumbers({ page, pages, setPage }: Props) {
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
