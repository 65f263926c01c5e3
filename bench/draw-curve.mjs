// A curve as SVG, with its figures as text: it reads on light and dark pages.
const [WIDTH, HEIGHT] = [640, 320];
const [LEFT, RIGHT, TOP, BOTTOM] = [48, 16, 16, 40];
const MOST = 450;

/** How many of the mutants so many requests find; `told` are the points with a figure. */
export function drawSvg(share, { mutants, told }) {
  const x = (requests) => LEFT + ((WIDTH - LEFT - RIGHT) * requests) / MOST;
  const y = (part) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - part);
  const points = Array.from(
    { length: MOST + 1 },
    (_, requests) => `${x(requests).toFixed(1)},${y(share(requests)).toFixed(1)}`,
  );
  const lines = [0, 0.25, 0.5, 0.75, 1].map(
    (part) =>
      `<path d="M${LEFT} ${y(part)}H${WIDTH - RIGHT}" stroke="#8884"/><text x="${LEFT - 8}" y="${y(part) + 4}" text-anchor="end">${100 * part} %</text>`,
  );
  const ticks = [0, 100, 200, 300, 400].map(
    (requests) => `<text x="${x(requests)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${requests}</text>`,
  );
  const marks = told.map((requests) => {
    const part = share(requests);
    const text = `${requests}: ${Math.floor(100 * part)} %`;
    return `<circle cx="${x(requests)}" cy="${y(part)}" r="3.5" fill="#2f6feb"/><text x="${x(requests) + 6}" y="${y(part) + 18}">${text}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" font-family="system-ui, sans-serif" font-size="12" fill="#777">
<title>Share of ${mutants} mutants that are found, by the number of requests</title>
${[...lines, ...ticks].join('\n')}
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 6}" text-anchor="middle">requests</text>
<polyline points="${points.join(' ')}" fill="none" stroke="#2f6feb" stroke-width="2"/>
${marks.join('\n')}
</svg>
`;
}
