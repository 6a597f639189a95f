import { type SubmissionOrder, submissionFilters, submissionSorts } from '@assay/shared/submissions.ts'
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'

export const PER_PAGE = 50

const defaultOrder: SubmissionOrder = { search: '', status: 'all', sort: 'id', direction: 'asc' }

function oneOf<T extends string>(choices: readonly T[], value: string | null, otherwise: T): T {
  return choices.find((choice) => choice === value) ?? otherwise
}

/** Invalid values in the address are ignored. */
export function orderFromSearch(address: URLSearchParams): SubmissionOrder {
  return {
    search: (address.get('search') ?? '').trim().slice(0, 200),
    status: oneOf(submissionFilters, address.get('status'), defaultOrder.status),
    sort: oneOf(submissionSorts, address.get('sort'), defaultOrder.sort),
    direction: oneOf(['asc', 'desc'], address.get('direction'), defaultOrder.direction),
  }
}

export function nonDefaultOrder(order: SubmissionOrder): Partial<SubmissionOrder> {
  const entries = Object.entries(order).filter(([name, value]) => defaultOrder[name as keyof SubmissionOrder] !== value)
  return Object.fromEntries(entries)
}

/** `?status=flagged&sort=score`, or nothing. */
export function searchFromOrder(order: SubmissionOrder, page = 1): string {
  const text = new URLSearchParams({
    ...nonDefaultOrder(order),
    ...(page > 1 ? { page: String(page) } : {}),
  }).toString()
  return text && `?${text}`
}

export interface ListView {
  order: SubmissionOrder
  /** From 1. */
  page: number
  change: (change: Partial<SubmissionOrder>) => void
  setPage: (page: number) => void
}

/** In the URL, so that it can be reloaded, shared and returned to. */
export function useListView(): ListView {
  const [address, setAddress] = useSearchParams()
  const order = useMemo(() => orderFromSearch(address), [address])
  const page = Math.max(1, Math.floor(Number(address.get('page')) || 1))
  const go = useCallback(
    (next: SubmissionOrder, to: number) =>
      setAddress(searchFromOrder(next, to), { replace: true, preventScrollReset: true }),
    [setAddress],
  )
  return {
    order,
    page,
    change: useCallback((change) => go({ ...order, ...change }, 1), [go, order]),
    setPage: useCallback((to) => go(order, to), [go, order]),
  }
}
