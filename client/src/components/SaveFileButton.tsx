import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { messageOf } from '../lib/api-error.ts'
import { toast } from '../lib/toast.ts'

interface Props {
  save: () => Promise<void>
  /** What is said when it failed and the server gave no words. */
  failed: string
  disabled?: boolean
  children: string
}

/** Saves a file of the server's, and shows that it is coming. */
export function SaveFileButton({ save, failed, disabled = false, children }: Props) {
  const [busy, setBusy] = useState(false)
  async function start() {
    setBusy(true)
    try {
      await save()
    } catch (error) {
      toast.bad(messageOf(error, failed))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden />}
      disabled={disabled}
      loading={busy}
      onClick={() => void start()}
    >
      {children}
    </Button>
  )
}
