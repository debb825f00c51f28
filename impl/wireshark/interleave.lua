-- What Interleave's processes say to each other, for Wireshark and tshark.
-- docs/wireshark.md says how to use it, docs/wire.md what the bytes mean.

local default_port = 26540
local magic = "ILVE"
local header_size, prefix_size, mac_size = 60, 10, 16

-- What messages look like, by shape: the name and the type of each part, in the
-- order of the bytes, and the names of the values of a part that has some.
local shapes = {
-- BEGIN: written by go test ./impl/wireshark -update
  ["0c6c76b4dbb6bbb2"] = { algorithm = "chang-roberts/classic", parts = {
    { "message", "ID" },
  } },
  ["c2b14d8776ff5a2b"] = { algorithm = "chang-roberts/textbook", parts = {
    { "Kind", "uint8", { [0] = "ELECTION", [1] = "ELECTED" } },
    { "ID", "ID" },
  } },
  ["77ef91455797d60e"] = { algorithm = "chang-roberts/naive", parts = {
    { "Kind", "uint8", { [0] = "ELECTION", [1] = "ELECTED" } },
    { "ID", "ID" },
  } },
  ["caca703922e68ac3"] = { algorithm = "chang-roberts/detecting", parts = {
    { "Kind", "uint8", { [0] = "ELECTION", [1] = "ELECTED" } },
    { "ID", "ID" },
  } },
  ["1352719838a6477e"] = { algorithm = "bully/mended", parts = {
    { "message", "uint8", { [0] = "ELECTION", [1] = "OK", [2] = "COORDINATOR" } },
  } },
  ["ffa5c60150e9c79f"] = { algorithm = "bully/published", parts = {
    { "message", "uint8", { [0] = "ELECTION", [1] = "OK", [2] = "COORDINATOR" } },
  } },
  ["e802618c45d8d0f2"] = { algorithm = "bully/unguarded", parts = {
    { "message", "uint8", { [0] = "ELECTION", [1] = "OK", [2] = "COORDINATOR" } },
  } },
  ["862b7576fdc7689a"] = { algorithm = "strike-bully/mended", parts = {
    { "message", "uint8", { [0] = "ELECTION", [1] = "ANSWER", [2] = "COORDINATOR" } },
  } },
  ["bf4336701f5121c9"] = { algorithm = "strike-bully/published", parts = {
    { "message", "uint8", { [0] = "ELECTION", [1] = "ANSWER", [2] = "COORDINATOR" } },
  } },
  ["e32c8655fed89af8"] = { algorithm = "fast-bully/mended", parts = {
    { "Kind", "uint8", { [0] = "IAMUP", [1] = "VIEW", [2] = "ELECTION", [3] = "ANSWER", [4] = "NOMINATION", [5] = "COORDINATOR", [6] = "KNOWN" } },
    { "View", "Set" },
    { "Leader", "ID" },
  } },
  ["0107243541ae2a40"] = { algorithm = "fast-bully/published", parts = {
    { "Kind", "uint8", { [0] = "IAMUP", [1] = "VIEW", [2] = "ELECTION", [3] = "ANSWER", [4] = "NOMINATION", [5] = "COORDINATOR", [6] = "KNOWN" } },
    { "View", "Set" },
    { "Leader", "ID" },
  } },
  ["97231a73c13865da"] = { algorithm = "token-ring/mended", parts = {
    { "Kind", "uint8", { [0] = "ELECTION", [1] = "COORDINATOR" } },
    { "List[0]", "ID" },
    { "List[1]", "ID" },
    { "List[2]", "ID" },
    { "List[3]", "ID" },
    { "List[4]", "ID" },
    { "List[5]", "ID" },
    { "List[6]", "ID" },
    { "List[7]", "ID" },
    { "List[8]", "ID" },
    { "List[9]", "ID" },
    { "List[10]", "ID" },
    { "List[11]", "ID" },
    { "List[12]", "ID" },
    { "List[13]", "ID" },
    { "List[14]", "ID" },
    { "List[15]", "ID" },
    { "Origin", "ID" },
    { "Leader", "ID" },
  } },
  ["f7aca32c87afbefd"] = { algorithm = "token-ring/published-a", parts = {
    { "Kind", "uint8", { [0] = "ELECTION", [1] = "COORDINATOR" } },
    { "List[0]", "ID" },
    { "List[1]", "ID" },
    { "List[2]", "ID" },
    { "List[3]", "ID" },
    { "List[4]", "ID" },
    { "List[5]", "ID" },
    { "List[6]", "ID" },
    { "List[7]", "ID" },
    { "List[8]", "ID" },
    { "List[9]", "ID" },
    { "List[10]", "ID" },
    { "List[11]", "ID" },
    { "List[12]", "ID" },
    { "List[13]", "ID" },
    { "List[14]", "ID" },
    { "List[15]", "ID" },
    { "Origin", "ID" },
    { "Leader", "ID" },
  } },
  ["8ffd4d69372365a1"] = { algorithm = "token-ring/published-b", parts = {
    { "Kind", "uint8", { [0] = "ELECTION", [1] = "COORDINATOR" } },
    { "List[0]", "ID" },
    { "List[1]", "ID" },
    { "List[2]", "ID" },
    { "List[3]", "ID" },
    { "List[4]", "ID" },
    { "List[5]", "ID" },
    { "List[6]", "ID" },
    { "List[7]", "ID" },
    { "List[8]", "ID" },
    { "List[9]", "ID" },
    { "List[10]", "ID" },
    { "List[11]", "ID" },
    { "List[12]", "ID" },
    { "List[13]", "ID" },
    { "List[14]", "ID" },
    { "List[15]", "ID" },
    { "Origin", "ID" },
    { "Leader", "ID" },
  } },
  ["5184b8176c57fb04"] = { algorithm = "ble/mended", parts = {
    { "Kind", "uint8", { [0] = "REQUEST", [1] = "REPLY" } },
    { "Round", "int" },
    { "Ballot.N", "int" },
    { "Ballot.Process", "ID" },
  } },
  ["59c06970546a8626"] = { algorithm = "ble/published", parts = {
    { "Kind", "uint8", { [0] = "REQUEST", [1] = "REPLY" } },
    { "Round", "int" },
    { "Ballot.N", "int" },
    { "Ballot.Process", "ID" },
  } },
  ["76512311f309eb3a"] = { algorithm = "ble/majority", parts = {
    { "Kind", "uint8", { [0] = "REQUEST", [1] = "REPLY" } },
    { "Round", "int" },
    { "Ballot.N", "int" },
    { "Ballot.Process", "ID" },
  } },
  ["7defa6b70efe7cd1"] = { algorithm = "ble/quiet", parts = {
    { "Kind", "uint8", { [0] = "REQUEST", [1] = "REPLY" } },
    { "Round", "int" },
    { "Ballot.N", "int" },
    { "Ballot.Process", "ID" },
  } },
  ["1ab5aa0ea7a7e395"] = { algorithm = "sync-ring/published", parts = {
    { "ID", "ID" },
    { "Decided", "bool" },
  } },
  ["21027c7da061b0d4"] = { algorithm = "sync-ring/asynchronous", parts = {
    { "ID", "ID" },
    { "Decided", "bool" },
  } },
  ["37413652551b98e4"] = { algorithm = "sync-bully/mended", parts = {
    { "message", "uint8", { [0] = "CHALLENGE", [1] = "ANSWER", [2] = "VICTORY" } },
  } },
  ["9e95155d609c64b3"] = { algorithm = "sync-bully/published", parts = {
    { "ID", "ID" },
    { "Decided", "bool" },
  } },
  ["2bd7de66ca2420c7"] = { algorithm = "sync-bully/deadline2", parts = {
    { "ID", "ID" },
    { "Decided", "bool" },
  } },
  ["5be4b58caa9e3c34"] = { algorithm = "itai-rodeh/finite", parts = {
    { "Identity.Round", "int" },
    { "Identity.Number", "int" },
    { "Hops", "int" },
    { "Shared", "bool" },
  } },
  ["2564d8a9ef138446"] = { algorithm = "itai-rodeh/published", parts = {
    { "Identity.Round", "int" },
    { "Identity.Number", "int" },
    { "Hops", "int" },
    { "Shared", "bool" },
  } },
  ["9d5b3d715938df1f"] = { algorithm = "two-phase-commit/mended", parts = {
    { "message", "uint8", { [0] = "PREPARE", [1] = "YES", [2] = "NO", [3] = "COMMIT", [4] = "ABORT", [5] = "ASK" } },
  } },
  ["d90e2ec42adf0d5f"] = { algorithm = "two-phase-commit/published", parts = {
    { "message", "uint8", { [0] = "PREPARE", [1] = "YES", [2] = "NO", [3] = "COMMIT", [4] = "ABORT", [5] = "ASK" } },
  } },
  ["0e459ca207fdddf9"] = { algorithm = "paxos/single-decree", parts = {
    { "Kind", "uint8", { [0] = "PREPARE", [1] = "PROMISE", [2] = "ACCEPT", [3] = "ACCEPTED", [4] = "CHOSEN" } },
    { "Ballot", "int" },
    { "Vote.Ballot", "int" },
    { "Vote.Value", "string" },
  } },
  ["1302e2ddcf2643a3"] = { algorithm = "paxos/volatile", parts = {
    { "Kind", "uint8", { [0] = "PREPARE", [1] = "PROMISE", [2] = "ACCEPT", [3] = "ACCEPTED", [4] = "CHOSEN" } },
    { "Ballot", "int" },
    { "Vote.Ballot", "int" },
    { "Vote.Value", "string" },
  } },
  ["cb552222df009a6b"] = { algorithm = "lock/mended", parts = {
    { "message", "uint8", { [0] = "REQUEST", [1] = "GRANT", [2] = "RELEASE" } },
  } },
  ["e65dd38188d9a060"] = { algorithm = "lock/published", parts = {
    { "message", "uint8", { [0] = "REQUEST", [1] = "GRANT", [2] = "RELEASE" } },
  } },
-- END
}

local kinds = { [1] = "data", [2] = "ack", [3] = "heartbeat", [4] = "hello", [5] = "refuse" }

local proto = Proto("interleave", "Interleave")
proto.prefs.port = Pref.uint("Port", default_port, "The port that processes listen on, over UDP and TCP")

local f = {
  magic = ProtoField.string("interleave.magic", "Magic"),
  version = ProtoField.uint8("interleave.version", "Version"),
  kind = ProtoField.uint8("interleave.kind", "Kind", base.DEC, kinds),
  authenticated = ProtoField.bool("interleave.authenticated", "Ends in a MAC", 8, nil, 0x01),
  name_length = ProtoField.uint8("interleave.name_length", "Length of the name"),
  length = ProtoField.uint32("interleave.length", "Length of the frame"),
  from = ProtoField.uint8("interleave.from", "From"),
  to = ProtoField.uint8("interleave.to", "To"),
  incarnation = ProtoField.uint32("interleave.incarnation", "Incarnation"),
  acked = ProtoField.uint32("interleave.acked", "Acknowledged incarnation"),
  shape = ProtoField.uint64("interleave.shape", "Shape", base.HEX),
  run = ProtoField.uint64("interleave.run", "Run"),
  sequence = ProtoField.uint64("interleave.sequence", "Sequence"),
  link = ProtoField.uint64("interleave.link", "Place on the link"),
  sent = ProtoField.int64("interleave.sent", "Sent (ns since 1970)"),
  algorithm = ProtoField.string("interleave.algorithm", "Algorithm", base.UNICODE),
  body = ProtoField.bytes("interleave.body", "Message"),
  part = ProtoField.string("interleave.part", "Part", base.UNICODE),
  settings = ProtoField.string("interleave.settings", "Settings", base.UNICODE),
  reason = ProtoField.string("interleave.reason", "Reason", base.UNICODE),
  mac = ProtoField.bytes("interleave.mac", "MAC (not checked)"),
}
proto.fields = f

local wrong = ProtoExpert.new("interleave.wrong", "No frame", expert.group.MALFORMED, expert.severity.ERROR)
proto.experts = { wrong }

-- value returns what the bytes of a part say, as our own decoder prints it.
local value = {
  bool = function(range) return range:uint() == 1 and "true" or "false" end,
  ID = function(range) return range:uint() == 0 and "none" or tostring(range:uint()) end,
  Set = function(range)
    local members = {}
    for id = 1, 64 do
      local byte = range(7 - math.floor((id - 1) / 8), 1):uint()
      if math.floor(byte / 2 ^ ((id - 1) % 8)) % 2 == 1 then
        members[#members + 1] = tostring(id)
      end
    end
    return "{" .. table.concat(members, " ") .. "}"
  end,
  string = function(range) return range:len() == 2 and "" or range(2):string(ENC_UTF_8) end,
}
local sizes = { bool = 1, ID = 1, Set = 8, string = 2, int = 8, uint = 8 }
for _, bits in ipairs({ 8, 16, 32 }) do
  value["int" .. bits] = function(range) return tostring(range:int()) end
  value["uint" .. bits] = function(range) return tostring(range:uint()) end
  sizes["int" .. bits], sizes["uint" .. bits] = bits / 8, bits / 8
end
value.int64 = function(range) return tostring(range:int64()) end
value.uint64 = function(range) return tostring(range:uint64()) end
value.int, value.uint = value.int64, value.uint64
sizes.int64, sizes.uint64 = 8, 8

-- empty are the values that a line about a message leaves out.
local empty = { [""] = true, ["0"] = true, ["none"] = true, ["false"] = true, ["{}"] = true }

-- add_parts adds the parts of a message, and returns a word about it: its first part,
-- which tells the kind of many messages, and the others that are not zero.
local function add_parts(tree, body, parts)
  local at, words = 0, {}
  for i, part in ipairs(parts) do
    local name, form, names = part[1], part[2], part[3]
    local size = sizes[form]
    if form == "string" and at + 2 <= body:len() then
      size = 2 + body(at, 2):uint()
    end
    if at + size > body:len() then
      tree:add_proto_expert_info(wrong, "the message is cut in " .. name)
      return table.concat(words, " ")
    end
    local range = body(at, size)
    local text = value[form](range)
    text = names and names[range:uint()] or text
    tree:add(f.part, range, name .. "=" .. text)
    if i == 1 and (names or #parts == 1) then
      words[1] = text
    elseif not empty[text] then
      words[#words + 1] = name .. "=" .. text
    end
    at = at + size
  end
  if at < body:len() then
    tree:add_proto_expert_info(wrong, "there is more behind the message")
  end
  return table.concat(words, " ")
end

-- add_body adds what is between the name and the MAC; it returns a word about it.
local function add_body(tree, kind, body, shape)
  if kind == 4 or kind == 5 then
    tree:add(kind == 4 and f.settings or f.reason, body, body:string(ENC_UTF_8))
    return body:string(ENC_UTF_8)
  end
  local subtree = tree:add(f.body, body)
  local known = shapes[shape]
  return known and add_parts(subtree, body, known.parts)
end

-- begins_frame tells whether bytes begin as a frame does, with magic and version.
local function begins_frame(range)
  return range:len() >= 5 and range(0, 4):string() == magic and range(4, 1):uint() == 1
end

local function is_frame(range)
  return range:len() >= prefix_size and begins_frame(range)
end

-- length returns the length of a frame: its highest bits are beside the flag.
local function length(frame)
  return math.floor(frame(6, 1):uint() / 2) * 65536 + frame(8, 2):uint()
end

-- add_header adds the fields at fixed places.
local function add_header(tree, frame)
  tree:add(f.magic, frame(0, 4))
  tree:add(f.version, frame(4, 1))
  tree:add(f.kind, frame(5, 1))
  tree:add(f.authenticated, frame(6, 1))
  tree:add(f.name_length, frame(7, 1))
  tree:add(f.length, frame(6, 4), length(frame))
  tree:add(f.from, frame(10, 1))
  tree:add(f.to, frame(11, 1))
  tree:add(f.incarnation, frame(12, 4))
  tree:add(f.acked, frame(16, 4))
  tree:add(f.shape, frame(20, 8))
  tree:add(f.run, frame(28, 8))
  tree:add(f.sequence, frame(36, 8))
  tree:add(f.link, frame(44, 8))
  tree:add(f.sent, frame(52, 8))
end

-- summary is the line about a frame: where it goes, its kind, a word about its message,
-- and which one it is, by its sequence and its place on the link.
local function summary(frame, kind, word)
  local text = string.format("%d → %d %s", frame(10, 1):uint(), frame(11, 1):uint(), kinds[kind] or "?")
  if word and word ~= "" then
    text = text .. " " .. word
  end
  local sequence, link = frame(36, 8):uint64(), frame(44, 8):uint64()
  if sequence ~= UInt64(0) then
    text = text .. " seq=" .. tostring(sequence)
  end
  if link ~= UInt64(0) then
    text = text .. " link=" .. tostring(link)
  end
  return text
end

-- side returns the interface that a frame was captured at, sent or delivered; "" if the
-- capture is of somebody else.
local interface = Field.new("frame.interface_name")
local function side()
  local info = interface()
  local name = info and tostring(info.value)
  return (name == "sent" or name == "delivered") and name .. " " or ""
end

local several = false -- frames in this packet

-- dissect_frame shows one whole frame.
local function dissect_frame(frame, pinfo, root)
  local size = frame:len()
  local tree = root:add(proto, frame())
  if not is_frame(frame) or size < header_size or length(frame) ~= size then
    tree:add_proto_expert_info(wrong, "these bytes are no frame of version 1")
    return size
  end
  add_header(tree, frame)
  local authenticated, name = frame(6, 1):uint() % 2 == 1, frame(7, 1):uint()
  local body_end = authenticated and size - mac_size or size
  if header_size + name > body_end then
    tree:add_proto_expert_info(wrong, "it has no room for the name")
    return size
  end
  tree:add(f.algorithm, frame(header_size, name))
  local kind, word = frame(5, 1):uint(), nil
  local shape = frame(20, 8):bytes():tohex(true)
  if header_size + name < body_end then
    word = add_body(tree, kind, frame(header_size + name, body_end - header_size - name), shape)
  elseif kind == 1 and shapes[shape] then
    tree:add_proto_expert_info(wrong, "the message is missing")
  end
  if authenticated then
    tree:add(f.mac, frame(body_end, mac_size))
  end
  local text = summary(frame, kind, word)
  tree:append_text(", " .. text)
  pinfo.cols.info:append((several and "; " or side()) .. text)
  several = true
  return size
end

-- frame_size returns the size of the frame at an offset of a stream. Of bytes
-- that are none it takes all there are.
local function frame_size(tvb, _, offset)
  local rest = tvb(offset)
  if not is_frame(rest) or length(rest) < header_size then
    return rest:len()
  end
  return length(rest)
end

local tcp = 2 -- what Wireshark calls it

local function dissect(tvb, pinfo, root)
  if tvb:len() < 4 or tvb(0, 4):string() ~= magic then
    return 0 -- not ours
  end
  pinfo.cols.protocol = "Interleave"
  pinfo.cols.info:clear()
  several = false
  if pinfo.port_type == tcp then
    return dissect_tcp_pdus(tvb, root, prefix_size, frame_size, dissect_frame)
  end
  return dissect_frame(tvb, pinfo, root)
end

proto.dissector = dissect

-- heuristic takes what begins as a frame does, on whatever port.
local function heuristic(tvb, pinfo, root)
  if tvb:len() == 0 or not begins_frame(tvb()) then
    return false
  end
  dissect(tvb, pinfo, root) -- proto.dissector would not be allowed to wait for more of a stream
  return true
end

proto:register_heuristic("udp", heuristic)
proto:register_heuristic("tcp", heuristic)

local listening
local function listen(port)
  for _, name in ipairs({ "udp.port", "tcp.port" }) do
    local ports = DissectorTable.get(name)
    if listening then
      ports:remove(listening, proto)
    end
    ports:add(port, proto)
  end
  listening = port
end

function proto.prefs_changed()
  listen(proto.prefs.port)
end

listen(default_port)
