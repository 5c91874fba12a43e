/** Addresses that no import may reach by default, one or more of every special-purpose block. */
export const INTERNAL_V4: readonly string[] = [
  ...["0.0.0.0", "0.1.2.3"],
  ...["10.0.0.1", "10.255.255.255"],
  ...["100.64.0.1", "100.100.100.200", "100.127.255.254"],
  ...["127.0.0.1", "127.0.0.53", "127.1.2.3", "127.255.255.254"],
  ...["169.254.0.1", "169.254.169.253", "169.254.169.254", "169.254.170.2", "169.254.170.23"],
  "168.63.129.16",
  ...["172.16.0.1", "172.17.0.1", "172.31.255.255"],
  ...["192.0.0.1", "192.0.0.192"],
  ...["192.0.2.1", "198.51.100.1", "203.0.113.1"],
  ...["192.31.196.1", "192.52.193.1", "192.88.99.1", "192.175.48.1"],
  ...["192.168.0.1", "192.168.1.254", "192.168.255.255"],
  ...["198.18.0.1", "198.19.255.255"],
  ...["224.0.0.1", "239.255.255.250"],
  ...["240.0.0.1", "255.255.255.255"],
];

export const INTERNAL_V6: readonly string[] = [
  ...["::", "::1", "::2", "::127.0.0.1", "::169.254.169.254", "::ffff:0:127.0.0.1"],
  ...["::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:8.8.8.8"],
  ...["64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::10.0.0.1"],
  "100::1",
  ...["2001::1", "2001:0:53aa:64c:0:7bff:80ff:fffe", "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1"],
  ...["2002:7f00:1::", "2002:a9fe:a9fe::1", "2002:c0a8:1::1"],
  "2620:4f:8000::1",
  ...["3fff::1", "3fff:fff::1"],
  ...["4000::1", "5f00::1"],
  ...["fc00::1", "fd00::1", "fd00:ec2::254", "fd12:3456:789a::1"],
  ...["fe80::1", "fe80::a9fe:a9fe", "fec0::1"],
  ...["ff02::1", "ff0e::1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
];

const DISGUISED: readonly string[] = [
  ...["2130706433", "0x7f000001", "0x7f.0.0.1", "0x7F.0x0.0x0.0x1"],
  ...["017700000001", "0177.0.0.1", "0177.0000.0000.0001"],
  ...["127.1", "127.0.1", "127.0.0.1.", "127.0.0.0x1", "127%2e0%2e0%2e1", "%31%32%37.0.0.1"],
  ...["１２７.０.０.１", "127。0。0。1", "127．0．0．1", "①②⑦.⓪.⓪.①"],
  ...["0", "0x0"],
  ...["2852039166", "0xa9fea9fe", "0xA9.0xFE.0xA9.0xFE", "0251.0376.0251.0376"],
  ...["0251.254.169.254", "169.254.43518", "169.16689662", "169。254。169。254"],
  ...["３２３２２３５５２１", "3232235521", "0xc0.0xa8.0.1", "0300.0250.0.1"],
  ...["167772161", "012.0.0.1", "0xa.1"],
  ...["[::ffff:127.1.1.1]", "[0:0:0:0:0:ffff:127.0.0.1]", "[0000:0000:0000:0000:0000:0000:0000:0001]"],
  ...["[::FFFF:A9FE:A9FE]", "[0:0:0:0:0:0:10.0.0.1]"],
];

/** Names that lead inside, with the address they have. */
export const INTERNAL_NAMES: Readonly<Record<string, string>> = {
  localhost: "127.0.0.1",
  "localhost.": "127.0.0.1",
  "localhost.localdomain": "127.0.0.1",
  "a.localhost": "::1",
  "ip6-localhost": "::1",
  "metadata.google.internal": "169.254.169.254",
  "instance-data": "169.254.169.254",
  "kubernetes.default.svc": "10.96.0.1",
  "host.docker.internal": "192.168.65.2",
  "127.0.0.1.nip.test": "127.0.0.1",
  "xn--bcher-kva.test": "10.1.2.3",
};

/** URLs that no import may follow by default: addresses, disguises and names, each once. */
export const INTERNAL_URLS: readonly string[] = [
  ...INTERNAL_V4.map((a) => `http://${a}/latest/meta-data/`),
  ...INTERNAL_V6.map((a) => `http://[${a}]/`),
  ...DISGUISED.map((a) => `http://${a}/`),
  ...Object.keys(INTERNAL_NAMES).map((n) => `http://${n}/`),
  ...["https://127.0.0.1/", "https://[::1]/", "https://169.254.169.254/", "http://127.0.0.1:443/"],
  ...["https://127.0.0.1:80/", "http:\\\\127.0.0.1\\", "http:127.0.0.1", "http:///127.0.0.1/"],
  ...["http://127.0.0.1\\@example.org/", "http://127.0.0.1#@example.org/", "http://127.0.0.1?@example.org/"],
  ...["ht\ttp://127.0.\n0.1/", "  http://127.0.0.1/  "],
];

/** URLs refused for their scheme, their port or the credentials in them, wherever they lead. */
export const FORBIDDEN_URLS: readonly string[] = [
  ...["file:///etc/passwd", "file://127.0.0.1/etc/passwd", "ftp://outside.test/x", "gopher://outside.test/_x"],
  ...["data:application/json,{}", "javascript:1", "jar:http://outside.test!/", "ws://outside.test/"],
  ...["blob:http://outside.test/x", "unix:/var/run/docker.sock", "http://outside.test:22/"],
  ...["http://outside.test:8080/", "https://outside.test:6379/", "http://outside.test:9001/"],
  ...["http://outside.test:0/", "http://user@outside.test/", "http://user:secret@outside.test/"],
  ...["http://:secret@outside.test/", "http://outside.test@127.0.0.1/", "http://127.0.0.1:80@outside.test/"],
  ...["http://outside.test:80:80/", "http://", "http://outside .test/", "//outside.test/x", "nothing"],
];

/** Public addresses right beside the internal ones. */
export const PUBLIC_NEIGHBOURS: readonly string[] = [
  ...["1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.1"],
  ...["100.63.255.255", "100.128.0.1", "126.255.255.255", "128.0.0.1"],
  ...["169.253.255.255", "169.255.0.1", "172.15.255.255", "172.32.0.1"],
  ...["192.0.1.1", "192.167.255.255", "192.169.0.1", "198.17.255.255", "198.20.0.1", "223.255.255.254"],
  ...["2001:200::1", "2001:4860:4860::8888", "2003::1"],
  ...["2606:4700:4700::1111", "2a00:1450:4001:81b::200e"],
];
