import { type ClassScanPage, getClassScanPage } from '@assay/shared/class-scans.ts'
import { useEffect, useRef, useState } from 'react'
import useSWR from 'swr'
import { fetchFile } from '../../lib/api/call-api.ts'
import { urlFor } from '../../lib/api/http-client.ts'
import classes from './class-scans.module.css'

interface Props {
  assignmentId: number
  scanId: number
  page: ClassScanPage
}

/** A small picture of a page; asked for once it comes near to sight. */
export function PagePicture({ assignmentId, scanId, page: { page, turn } }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const watcher = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setSeen(true)
      },
      { rootMargin: '300px' },
    )
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  const input = { params: { assignmentId, scanId, page }, query: { size: 'small' as const } }
  const { data } = useSWR(seen ? urlFor(getClassScanPage, input.params, input.query) : null, () =>
    fetchFile(getClassScanPage, input),
  )
  const [picture, setPicture] = useState<string>()
  useEffect(() => {
    if (!data) return
    const url = URL.createObjectURL(data)
    setPicture(url)
    return () => URL.revokeObjectURL(url)
  }, [data])
  return (
    <div ref={frame} className={classes.picture}>
      {picture && <img src={picture} alt={`Page ${page} of the scan`} style={{ rotate: `${turn}deg` }} />}
    </div>
  )
}
