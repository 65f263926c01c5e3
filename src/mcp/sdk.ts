// What is used of the protocol's SDK, in one place: the build puts it into one file, so that nobody has to install it.
export { Server, type ServerContext } from '@modelcontextprotocol/server';
export { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
