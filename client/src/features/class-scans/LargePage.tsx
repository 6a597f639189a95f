import { type ClassScan, type ClassScanPage, getClassScanPage } from '@assay/shared/class-scans.ts'
import { Loader, Modal } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import useSWR from 'swr'
import { SecondaryButton } from '../../components/display/buttons.tsx'
import { LoadError } from '../../components/feedback/Loaded.tsx'
import { asApiError } from '../../lib/api/api-error.ts'
import { fetchFile } from '../../lib/api/call-api.ts'
import { urlFor } from '../../lib/api/http-client.ts'
import { useObjectUrl } from '../../lib/hooks/useObjectUrl.ts'
import classes from './class-scans.module.css'

interface Props {
  scan: ClassScan
  /** By its key; null: none is shown. */
  shown: string | null
  show: (page: string | null) => void
}

export function LargePage({ scan, shown, show }: Props) {
  const list = [...scan.papers.map(({ pages }) => pages), scan.dropped].find((pages) =>
    pages.some(({ key }) => key === shown),
  )
  const at = list?.findIndex(({ key }) => key === shown) ?? -1
  const page = list?.[at]
  const paper = scan.papers.findIndex(({ pages }) => pages === list) + 1
  return (
    <Modal
      opened={page !== undefined}
      onClose={() => show(null)}
      size="xl"
      title={page ? `Page ${page.page} of the scan${paper > 0 ? `, in paper ${paper}` : ', dropped'}` : ''}
    >
      {page && list && (
        <>
          <div className={classes.turning}>
            <SecondaryButton
              leftSection={<IconChevronLeft size={18} aria-hidden />}
              disabled={at === 0}
              onClick={() => show(list[at - 1]?.key ?? null)}
            >
              Previous page
            </SecondaryButton>
            <SecondaryButton
              rightSection={<IconChevronRight size={18} aria-hidden />}
              disabled={at === list.length - 1}
              onClick={() => show(list[at + 1]?.key ?? null)}
            >
              Next page
            </SecondaryButton>
          </div>
          {page.doubts.map((doubt) => (
            <p key={doubt} className={classes.doubt}>
              {doubt}
            </p>
          ))}
          <Picture scan={scan} page={page} />
        </>
      )}
    </Modal>
  )
}

function Picture({ scan, page }: { scan: ClassScan; page: ClassScanPage }) {
  const input = {
    params: { assignmentId: scan.assignment_id, scanId: scan.id, page: page.page },
    query: { size: 'large' as const, turn: page.turn },
  }
  const { data, error, mutate } = useSWR(urlFor(getClassScanPage, input.params, input.query), () =>
    fetchFile(getClassScanPage, input),
  )
  const picture = useObjectUrl(data)
  if (error && !data)
    return <LoadError error={asApiError(error)} retry={() => mutate()} title="This page cannot be shown" />
  return (
    <div className={classes.large}>
      {picture ? <img src={picture} alt={`Page ${page.page} of the scan`} /> : <Loader aria-label="Loading the page" />}
    </div>
  )
}
