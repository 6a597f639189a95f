import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'

interface Addresses {
  /** Ports: of what browsers reach, and of what a gateway does. */
  front: number
  inner: number
  webs: string[]
  /** Null where nginx passes everything to the webs. */
  gateway: string | null
}

export interface TestNginx {
  /** Sends no more calls to a web, as `down` and a reload do; null: to all of them again. */
  leaveOut(web: string | null): Promise<void>
  stop(): Promise<void>
}

/** Requests go to the webs by turns, so that none finds the process that answered the one before. */
const nginxConfig = (
  folder: string,
  { front, inner, webs, gateway }: Addresses,
  { without, generation }: { without: string | null; generation: number },
) => `
daemon off;
worker_processes 1;
error_log ${folder}/error.log;
pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
  gzip off;
  client_max_body_size 0;
  proxy_request_buffering off;
  proxy_read_timeout 300s;
  proxy_connect_timeout 2s;
  proxy_http_version 1.1;
  proxy_set_header Host $http_host;
  proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
  proxy_set_header X-Forwarded-Proto $scheme;
  proxy_set_header X-Request-Id $request_id;
  proxy_set_header Upgrade $http_upgrade;
  proxy_set_header Connection $connection_upgrade;
  add_header X-Served-By $upstream_addr always;
  upstream webs { ${webs.map((web) => `server ${web} max_fails=0${web === without ? ' down' : ''};`).join(' ')} }
  server { listen 127.0.0.1:${inner}; location / { proxy_pass http://webs; } }
  server {
    listen 127.0.0.1:${front};
    location = /generation { return 200 "${generation}"; }
    location / { proxy_pass http://${gateway ?? 'webs'}; }
  }
}
`

export async function startNginx(folder: string, addresses: Addresses): Promise<TestNginx> {
  await mkdir(folder)
  const config = join(folder, 'nginx.conf')
  let generation = 0
  const configure = (without: string | null) =>
    writeFile(config, nginxConfig(folder, addresses, { without, generation: ++generation }))
  await configure(null)
  const child = spawn('nginx', ['-p', folder, '-c', config], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
  })
  /** Until the workers with the latest configuration answer. */
  const untilInUse = async () => {
    for (;;) {
      if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`)
      const headers = { connection: 'close' }
      const reply = await fetch(`http://127.0.0.1:${addresses.front}/generation`, { headers }).catch(() => null)
      if ((await reply?.text()) === String(generation)) return
      await after(50)
    }
  }
  await untilInUse()
  return {
    async leaveOut(web) {
      await configure(web)
      child.kill('SIGHUP')
      await untilInUse()
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
